"""Reviews and puzzles, in SQL."""

from __future__ import annotations

from foxden.server.store import Rating, ReviewRow
from foxden.server.store.statements import Statements, marks

REVIEW = "table_id, seat, version, at, done, content"


class SqlReviews(Statements):
    """Keeps reviews and puzzle ratings."""

    async def review(self, table: str, seat: int) -> ReviewRow | None:
        """Finds a seat's review."""
        rows = await self.read(
            f"SELECT {REVIEW} FROM reviews WHERE table_id = $1 AND seat = $2", table, seat
        )
        return ReviewRow(*rows[0]) if rows else None

    async def begin_review(self, review: ReviewRow, given_up: float) -> bool:
        """Marks a review as begun; False if it exists, or had progress since `given_up`."""
        values = (review.table, review.seat, review.version, review.at, review.done)
        began = await self.write(
            (
                f"INSERT INTO reviews ({REVIEW}) VALUES ({marks(6)})"
                " ON CONFLICT (table_id, seat) DO UPDATE SET version = excluded.version,"
                " at = excluded.at, done = excluded.done, content = NULL"
                " WHERE reviews.version <> excluded.version"
                " OR (reviews.content IS NULL AND reviews.at < $7)"
                " RETURNING seat",
                (*values, None, given_up),
            )
        )
        return bool(began)

    async def put_review(self, review: ReviewRow) -> None:
        """Updates a begun review's progress; a finished one stays, a deleted one stays deleted."""
        await self.write(
            (
                "UPDATE reviews SET at = $4, done = $5, content = $6 WHERE table_id = $1"
                " AND seat = $2 AND version = $3 AND content IS NULL RETURNING seat",
                (
                    *(review.table, review.seat, review.version),
                    *(review.at, review.done, review.content),
                ),
            )
        )

    async def reviews_of(self, person: str, limit: int = 200) -> list[ReviewRow]:
        """Lists the finished reviews of a person's own seats, the latest first."""
        columns = ", ".join(f"reviews.{column}" for column in REVIEW.split(", "))
        rows = await self.read(
            f"SELECT {columns} FROM reviews JOIN seats ON seats.table_id = reviews.table_id"
            " AND seats.seat = reviews.seat WHERE seats.person = $1"
            " AND reviews.content IS NOT NULL ORDER BY reviews.at DESC LIMIT $2",
            person,
            limit,
        )
        return [ReviewRow(*row) for row in rows]

    # Puzzles

    async def rating(self, who: str) -> Rating | None:
        """Finds the rating of a puzzle, or of a person in a game."""
        return (await self.ratings([who])).get(who)

    async def ratings(self, who: list[str]) -> dict[str, Rating]:
        """Finds several ratings; omits the unrated."""
        if not who:
            return {}
        rows = await self.read(
            f"SELECT who, rating, tries FROM ratings WHERE who IN ({marks(len(who))})", *who
        )
        return {row[0]: Rating(row[1], row[2]) for row in rows}

    async def tries(self, person: str) -> dict[str, bool]:
        """Returns the puzzles a person has tried, the latest last, and whether they solved them."""
        rows = await self.read(
            "SELECT puzzle, solved FROM tries WHERE person = $1 ORDER BY at, puzzle", person
        )
        return {row[0]: bool(row[1]) for row in rows}

    async def add_try(
        self, person: str, puzzle: str, solved: bool, at: float, ratings: dict[str, Rating]
    ) -> bool:
        """Records a person's first try and the new ratings; False if it was not the first."""
        added = await self.write(
            (
                f"INSERT INTO tries (person, puzzle, solved, at) VALUES ({marks(4)})"
                " ON CONFLICT (person, puzzle) DO NOTHING RETURNING puzzle",
                (person, puzzle, int(solved), at),
            ),
            *(
                (
                    f"INSERT INTO ratings (who, rating, tries) VALUES ({marks(3)})"
                    " ON CONFLICT (who) DO UPDATE SET rating = excluded.rating,"
                    " tries = ratings.tries + 1",
                    (who, rating.rating, rating.tries),
                )
                for who, rating in ratings.items()
            ),
        )
        return bool(added)
