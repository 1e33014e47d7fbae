"""A server on the loopback that remembers who came by. It must stay lonely."""

from __future__ import annotations

import socket
import threading
from typing import Self


class Listener:
    """Listens on a free port of 127.0.0.1; ``heard`` holds the first bytes of every connection."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.settimeout(0.1)
        self.port: int = self._socket.getsockname()[1]
        self._open = True
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def _listen(self) -> None:
        while self._open:
            try:
                connection, _ = self._socket.accept()
            except TimeoutError:
                continue
            with connection:
                connection.settimeout(0.5)
                try:
                    self.heard.append(connection.recv(200))
                except OSError:
                    self.heard.append(b"")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._open = False
        self._thread.join()
        self._socket.close()
