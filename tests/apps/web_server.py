"""What every server of the program must hold to, and how the tests talk to it."""

import http.client
import re
import socket
import subprocess

from command_line import BINARY, CommandLineTest

SECRET = "what nobody may read"


class ServerTest(CommandLineTest):
    process = None
    port = 0
    headers = None

    def serve(self, *arguments, folder=None, says=("stdout",)):
        """Starts the program, which tells its address in the first line of the stream."""
        self.process = subprocess.Popen([BINARY, *map(str, arguments)], cwd=folder or self.folder, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, encoding="utf-8")
        line = getattr(self.process, says[0]).readline()
        found = re.match(r"http://127\.0\.0\.1:(\d+)/ ", line)
        self.assertTrue(found, line)
        self.port = int(found[1])

    def get(self, path, host=None, method="GET", headers=None, body=None):
        """Sends the path just as it is; (status, text)."""
        status, answer = self.get_bytes(path, host, method, headers, body)
        return status, answer.decode("utf-8", "replace")

    def get_bytes(self, path, host=None, method="GET", headers=None, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        if host != "":
            connection.putheader("Host", host or f"127.0.0.1:{self.port}")
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        for key, value in (headers or {}).items():
            connection.putheader(key, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        content = answer.read()
        self.headers = answer.headers
        connection.close()
        return answer.status, content

    def raw(self, text):
        """The answer to bytes that no client would send."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall(text)
            answer = b""
            while piece := connection.recv(65536):
                answer += piece
        return answer.decode("utf-8", "replace")

    def check_bound_to_loopback_alone(self):
        with open("/proc/net/tcp", encoding="ascii") as file:
            listening = [line.split()[1] for line in file if line.split()[3] == "0A"]
        mine = [place for place in listening if int(place.split(":")[1], 16) == self.port]
        self.assertEqual([place.split(":")[0] for place in mine], ["0100007F"])
        with open("/proc/net/tcp6", encoding="ascii") as file:
            self.assertFalse([line for line in file if line.split()[1].endswith(f":{self.port:04X}") and line.split()[3] == "0A"])

    def check_names_of_other_hosts_are_refused(self, paths, secret):
        """None of the paths says the secret word to who calls this machine by another name."""
        for host in (f"127.0.0.1:{self.port}", f"localhost:{self.port}"):
            self.assertEqual(self.get("/", host=host)[0], 200)
        for host in ("evil.example", f"evil.example:{self.port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.1.evil.example:{self.port}",
                     f"localhost.evil.example:{self.port}", "", f"[::1]:{self.port}"):
            with self.subTest(host):
                for path in paths:
                    status, body = self.get(path, host=host)
                    self.assertIn(status, (400, 403))
                    self.assertNotIn(secret, body)
        two = b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nHost: evil.example\r\nConnection: close\r\n\r\n" % self.port
        self.assertIn(" 403 ", self.raw(two).splitlines()[0])
        self.assertEqual(self.get("/", headers={"Origin": "http://evil.example"})[0], 403)
