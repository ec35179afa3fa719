"""A line to a database whose packets are dropped, as by a firewall: TCP sends them again, later and later, and gives up one day.
Needs root: a network device of its own, whose packets this program hands on.

As a program: `packets.py NAME NUMBER` makes the device NAME with the addresses 198.18.NUMBER.1 and 198.18.NUMBER.2; whoever connects
to the second one reaches what listens on the first one. It says `ready`, and takes the commands of `relay.py`."""
import fcntl
import os
import pathlib
import random
import select
import struct
import subprocess
import sys

from support.relay import Relay

# Makes a device of packets without a header of its own (linux/if_tun.h).
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000


class PacketRelay(Relay):
    """The same for packets."""

    def __init__(self, target):
        number = random.randrange(256)
        self.here, self.host, self.port = f"198.18.{number}.1", f"198.18.{number}.2", target
        self.process = subprocess.Popen(
            [sys.executable, "-m", "support.packets", f"sightline{number}", str(number)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, cwd=pathlib.Path(__file__).parents[1])
        if self.process.stdout.readline() != "ready\n":
            raise RuntimeError("the network device was not made: for that one has to be root")


def _ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, stdin=subprocess.DEVNULL)


def _device(name, number):
    device = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    _ip("address", "add", f"198.18.{number}.1", "peer", f"198.18.{number}.2", "dev", name)
    _ip("link", "set", name, "up")
    return device


class _Line:
    """Hands packets on, or does not."""

    def __init__(self, device):
        self.device, self.is_cut, self.is_deaf = device, False, False
        # Ports of those who listen for something, and of all.
        self.listening, self.ports = set(), set()

    def carry(self):
        packet = os.read(self.device, 65536)
        if packet[0] >> 4 != 4 or packet[9] != 6:
            return
        head = (packet[0] & 15) * 4
        ports = struct.unpack("!HH", packet[head:head + 4])
        if packet[head + 13] & 2 and not packet[head + 13] & 16:
            # One who comes anew, be it on a port that somebody had before.
            self.listening.discard(ports[0])
            self.ports.add(ports[0])
        if b"LISTEN " in packet[head:]:
            self.listening.add(ports[0])
        if self.is_cut or self.is_deaf and not self.listening.isdisjoint(ports):
            return
        # From the second address to the first one and back; the sums stay what they are.
        os.write(self.device, packet[:12] + packet[16:20] + packet[12:16] + packet[20:])

    def obey(self, command):
        self.is_cut, self.is_deaf = command == "cut", command == "deafen"
        return {"cut": len(self.ports), "deafen": len(self.listening), "mend": 0}[command]


def _serve(name, number):
    line = _Line(_device(name, number))
    print("ready", flush=True)
    while True:
        readable, _, _ = select.select([line.device, sys.stdin], [], [])
        if line.device in readable:
            line.carry()
        if sys.stdin in readable:
            command = sys.stdin.readline().strip()
            if not command:
                return
            print(line.obey(command), flush=True)


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]))
