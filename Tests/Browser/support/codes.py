"""An authenticator program: the codes of a second factor."""
import base64
import hashlib
import hmac
import struct
import time

PERIOD = 30


def time_code(secret, step):
    """The code of RFC 6238 for a step of 30 seconds."""
    digest = hmac.new(base64.b32decode(secret + "=" * (-len(secret) % 8)), struct.pack(">Q", step), hashlib.sha1).digest()
    offset = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[offset:offset + 4])[0] & 0x7FFFFFFF) % 1_000_000:06d}"


class Authenticator:
    """Has the secret, and shows codes that were not used yet."""

    def __init__(self, secret):
        self.secret, self.last = "".join(secret.split()), 0

    def code(self):
        """The code of now, or of the step after it, which is taken too; waits when both were used."""
        while True:
            now = int(time.time() // PERIOD)
            step = max(now, self.last + 1)
            if step <= now + 1:
                self.last = step
                return time_code(self.secret, step)
            time.sleep(0.5)
