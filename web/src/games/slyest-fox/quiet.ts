/** The kinds of moves that show their player nothing new: the page plays one that is the only one open. */
export default ['ready', 'pass'] as const;
