"""Structured logs: lines for people, or JSON for machines, always to standard error."""

from __future__ import annotations

import logging
import sys

import structlog

from foxden.server.config import Config


def set_up_logs(config: Config) -> None:
    """Formats Foxden's log lines and those of libraries alike."""
    level = logging.getLevelNamesMapping()[config.log_level.upper()]
    shared: list[structlog.types.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    # Tracebacks never show values: a local variable may be a seed or somebody's cookie.
    if config.logs == "json":
        last: list[structlog.types.Processor] = [
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ]
    else:
        last = [
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            )
        ]
    structlog.configure(
        processors=[*shared, *last],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(level, logging.INFO))
    # Its lines on single connections contain addresses with keys.
    logging.getLogger("uvicorn.error").setLevel(max(level, logging.WARNING))
    logging.getLogger("uvicorn.error").addFilter(_is_own_fault)
    logging.getLogger("uvicorn.access").disabled = True


# Lines that any stranger could trigger at will.
CAUSED_BY_STRANGERS = (
    "Invalid UTF-8 sequence",
    "Invalid HTTP request received",
    "Unsupported upgrade request",
)


def _is_own_fault(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith(CAUSED_BY_STRANGERS)
