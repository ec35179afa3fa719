"""A line to a database that can be cut in silence: bytes are kept back, nothing is closed and nothing refused, as by a firewall
that drops what it gets. What was kept back goes on when the line is mended, as TCP would send it again.

As a program: `relay.py PORT` listens on a free port, which it prints, and takes commands, one a line, each answered by the number
of lines that are cut then: `cut` (all, and whoever comes anew), `deafen` (only connections on which `LISTEN` was said), `mend`."""
import asyncio
import pathlib
import subprocess
import sys


class Relay:
    """A line to a port of this machine, in a process of its own: the one that plays must not slow it down. `host` and `port`
    are where to connect to."""

    host = "127.0.0.1"

    def __init__(self, target):
        self.process = subprocess.Popen([sys.executable, pathlib.Path(__file__), str(target)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def cut(self):
        """Cuts all."""
        return self._tell("cut")

    def deafen(self):
        """Cuts the lines on which something is listened for; how many."""
        return self._tell("deafen")

    def mend(self):
        return self._tell("mend")

    def _tell(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class _Gate:
    """Open or shut; whoever comes waits while it is shut."""

    def __init__(self):
        self.is_open = asyncio.Event()
        self.is_open.set()

    def set(self, is_open):
        if is_open:
            self.is_open.set()
        else:
            self.is_open.clear()


async def _serve(target):
    everything, gates, joined = _Gate(), {}, set()

    async def carry(reader, writer, gate, listens):
        try:
            while data := await reader.read(65536):
                if b"LISTEN " in data and listens is not None:
                    listens()
                for one in (everything, gate):
                    await one.is_open.wait()
                writer.write(data)
                await writer.drain()
            for one in (everything, gate):
                await one.is_open.wait()
        except OSError:
            pass
        finally:
            writer.close()

    async def join(reader, writer):
        await everything.is_open.wait()
        try:
            there, back = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            writer.transport.abort()
            return
        gate = _Gate()
        joined.add(gate)
        listening = lambda: gates.setdefault(writer, gate)  # noqa: E731
        try:
            await asyncio.gather(carry(reader, back, gate, listening), carry(there, writer, gate, None))
        finally:
            gates.pop(writer, None)
            joined.discard(gate)

    server = await asyncio.start_server(join, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    commands = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    while command := (await commands.readline()).decode().strip():
        everything.set(command != "cut")
        for gate in gates.values():
            gate.set(command != "deafen")
        print({"cut": len(joined), "deafen": len(gates), "mend": 0}[command], flush=True)


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1])))
