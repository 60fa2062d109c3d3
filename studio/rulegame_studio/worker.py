"""A worker process: requests come by standard input, one line of JSON each, and are answered by
standard output. It ends when its server does.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from typing import Any, BinaryIO

from rulegame_studio.limits import LIMITS


def main() -> None:
    """Answer requests until there are no more."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing else may get in between
    _limit_memory()
    if len(sys.argv) > 2 and hasattr(os, "nice"):
        os.nice(int(sys.argv[2]))
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, requests), daemon=True).start()
    from rulegame_studio.worker_api import WorkerAPI

    api = WorkerAPI(sys.argv[1] if len(sys.argv) > 1 else "")
    while True:
        while requests.empty() and api.settle():
            pass
        request = json.loads(requests.get())
        try:
            reply = api.answer(request)
        except Exception as fault:
            print(f"rulegame studio: {type(fault).__name__}: {fault}", file=sys.stderr)
            if os.environ.get("RULEGAME_STUDIO_TRACE"):
                import traceback

                traceback.print_exc()
            reply = {"error": "Something went wrong at this table.", "status": 500}
        _send(answers, {"id": request["id"], "reply": reply})


def _send(answers: BinaryIO, reply: dict[str, Any]) -> None:
    answers.write(json.dumps(reply, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
    answers.flush()


def _listen(stream: BinaryIO, requests: queue.SimpleQueue[bytes]) -> None:
    """In a thread of its own, to notice at once when the server is gone."""
    for line in stream:
        requests.put(line)
    os._exit(0)


def _limit_memory() -> None:
    """A ruleset that eats memory ends with its worker, not with the machine."""
    try:
        import resource
    except ImportError:  # not on this system
        return
    with_limit = (LIMITS.worker_bytes, resource.getrlimit(resource.RLIMIT_AS)[1])
    try:
        resource.setrlimit(resource.RLIMIT_AS, with_limit)
    except (ValueError, OSError):
        return


if __name__ == "__main__":
    main()
