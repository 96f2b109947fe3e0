/**
 * Boards know what an action means, and what happened, from facts and events. Words are for people: they may be shown,
 * and nothing may be read out of them.
 */
import { globSync, readFileSync } from 'node:fs';
import { parse } from 'svelte/compiler';
import { describe, expect, it } from 'vitest';

interface Node {
  type: string;
  [field: string]: any;
}

const WORDS = ['notation', 'says', 'action'];
const READING = /^(split|startsWith|endsWith|includes|match|matchAll|replace|replaceAll|indexOf|lastIndexOf|search|slice|substring|substr|charAt|some|every|find|findLast|findIndex|filter)$/;
const LOOKING_UP = /^(test|exec|get|has|set|includes|indexOf)$/;
const SHOWING = /^(announce|\$\w+)$/; // functions that may be given words

const nameOf = (node: Node): string => (node.type === 'Identifier' ? node.name : '');
const methodOf = (call: Node): string => (call.callee.type === 'MemberExpression' ? nameOf(call.callee.property) : '');

/** Returns which words an expression is, or is a piece of; '' where it is none. */
function wordsIn(node: Node | null): string {
  if (!node) return '';
  if (node.type === 'ChainExpression' || node.type.startsWith('TS')) return wordsIn(node.expression);
  if (node.type === 'LogicalExpression') return wordsIn(node.left);
  // A variable named action is the action itself.
  if (node.type === 'Identifier') return node.name !== 'action' && WORDS.includes(node.name) ? node.name : '';
  if (node.type === 'CallExpression') return node.callee.type === 'MemberExpression' ? wordsIn(node.callee.object) : '';
  if (node.type !== 'MemberExpression') return '';
  if (!node.computed) return WORDS.includes(nameOf(node.property)) ? nameOf(node.property) : '';
  return wordsIn(node.object);
}

const isText = (node: Node): boolean => node.type === 'TemplateLiteral' || (node.type === 'Literal' && (typeof node.value === 'string' || node.regex));
const isNothing = (node: Node): boolean => nameOf(node) === 'undefined' || (node.type === 'Literal' && node.value === null);

function compares(one: Node, other: Node): boolean {
  // An action may be compared with another; with a text it is words.
  return wordsIn(one) === 'action' ? isText(other) : wordsIn(one) !== '' && !isNothing(other);
}

/** Says whether a piece of code reads meaning out of words. */
function reads(node: Node): boolean {
  switch (node.type) {
    case 'CallExpression': {
      const given = node.arguments.some((one: Node) => ['notation', 'says'].includes(wordsIn(one)));
      if (node.callee.type === 'Identifier') return given && !SHOWING.test(node.callee.name);
      if (given && LOOKING_UP.test(methodOf(node))) return true;
      return READING.test(methodOf(node)) && wordsIn(node.callee.object) !== '';
    }
    case 'BinaryExpression':
      return /^[!=]==?$/.test(node.operator) && (compares(node.left, node.right) || compares(node.right, node.left));
    case 'SwitchStatement':
      return wordsIn(node.discriminant) !== '';
    case 'MemberExpression':
      return node.computed && ['notation', 'says'].includes(wordsIn(node.property));
    case 'ArrayExpression': // an entry of a map
      return node.elements.length === 2 && wordsIn(node.elements[0]) === 'notation';
    default:
      return false;
  }
}

function walk(node: unknown, found: (node: Node) => void): void {
  if (Array.isArray(node)) for (const one of node) walk(one, found);
  else if (typeof node === 'object' && node !== null) {
    if (typeof (node as Node).type === 'string') found(node as Node);
    for (const [field, value] of Object.entries(node)) if (field !== 'parent') walk(value, found);
  }
}

/** Lists the code that reads words, in a component or a module. */
function readings(text: string, file = 'some.ts'): string[] {
  const source = file.endsWith('.svelte') ? text : `<script lang="ts">\n${text}\n</script>`;
  const { instance, module, fragment } = parse(source, { modern: true });
  const found = new Set<string>();
  walk([instance, module, fragment], (node) => {
    if (reads(node)) found.add(source.slice(node.start, node.end).split('\n')[0]!);
  });
  return [...found];
}

const files = globSync('src/{games,kit}/**/*.{ts,svelte}').filter((file) => !file.endsWith('.test.ts'));

describe('code that draws games', () => {
  it('is looked at', () => expect(files.length).toBeGreaterThan(20));

  for (const file of files) {
    it(`reads nothing out of words in ${file.slice(4)}`, () => expect(readings(readFileSync(file, 'utf-8'), file)).toEqual([]));
  }
});

describe('the check', () => {
  const caught = [
    "if (action.notation === 'pass') stop();",
    'const found = legal.find((a) => `lay ${kind}` === a.notation);',
    "const turns = legal.filter(({ notation }) => notation.startsWith('turn'));",
    "const level = /level (\\d+)/.exec(climb?.says ?? '');",
    'const units = unitsIn(printed.says);',
    'const known = ANSWERS.includes(notation);',
    "const caught = entry.says.some((line) => line.includes('dog'));",
    "const [verb] = entry.action.split(' ');",
    "const passed = log.at(-1)?.action === 'pass';",
    "const wide = action.says!.toLowerCase().includes('fox');",
    'switch (action.notation) { default: }',
    'const known = faces[action.notation];',
    'const byNotation = new Map(legal.map((a) => [a.notation, a]));',
    "const first = (entry.says[0] ?? '').length, second = entry.says[0]!.split(' ');",
  ];
  for (const code of caught) it(`catches ${code}`, () => expect(readings(code)).toHaveLength(1));

  it('catches what is written in markup', () => {
    expect(readings("{#if action.says.includes('fox')}<Fox />{/if}", 'some.svelte')).toEqual(["action.says.includes('fox')"]);
  });

  it('lets words be shown', () => {
    const shown = [
      'act(action, `${action.says} Really?`);',
      'const same = picked.action === action;',
      'const there = entry.says !== undefined && entry.says.length > 0;',
      "const told = log.flatMap((entry) => entry.says).join(' ');",
      "const lay = legal.find((a) => a.facts.kind === 'lay');",
      'const seen = fresh.has(entry.action);',
      'announce(action.says); const said = $derived(action.says);',
    ];
    expect(shown.flatMap((code) => readings(code))).toEqual([]);
    expect(readings('<button title={action.notation}>{action.says}</button>', 'some.svelte')).toEqual([]);
  });
});
