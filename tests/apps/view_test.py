"""`slipstick view`: what it shows, and what it must never give away."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import time

from command_line import BALL, BINARY, CommandLineTest

SECRET = "what nobody may read"


class View(CommandLineTest):
    def start(self, *arguments, folder=None):
        self.process = subprocess.Popen([BINARY, "view", *map(str, arguments)], cwd=folder or self.folder,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.stop)
        line = self.process.stdout.readline()
        found = re.match(r"http://127\.0\.0\.1:(\d+)/ ", line)
        self.assertTrue(found, line)
        self.port = int(found[1])

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=20)
        self.assertEqual((self.process.returncode, errors), (0, ""))

    def get(self, path, host=None, method="GET", headers=None):
        """Sends the path just as it is; (status, body)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        if host != "":
            connection.putheader("Host", host or f"127.0.0.1:{self.port}")
        for key, value in (headers or {}).items():
            connection.putheader(key, value)
        connection.endheaders()
        answer = connection.getresponse()
        body = answer.read().decode("utf-8", "replace")
        self.headers = answer.headers
        connection.close()
        return answer.status, body

    def raw(self, text):
        """The answer to bytes that no client would send."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall(text)
            answer = b""
            while piece := connection.recv(65536):
                answer += piece
        return answer.decode("utf-8", "replace")

    def make_runs(self):
        self.write("ball.yaml", BALL)
        self.passes("run", "ball.yaml", "-q", "-o", "out/ball")
        self.slipstick("run", "ball.yaml", "-q", "--set", "title=Too <deep>", "--set", "bodies.ball.position.2=0.05", "-o",
                       "out/more/odd name & 100% #1")
        self.write("secret.txt", SECRET)
        self.write("out-other/secret.txt", SECRET)  # its name starts like the folder's

    def test_gallery(self):
        self.make_runs()
        (self.folder / "out/ball/thumbnail.png").write_bytes(b"\x89PNG\r\n\x1a\n")
        self.write("out/cut/recording.h5", "")
        self.start()
        status, page = self.get("/")
        self.assertEqual(status, 200)
        self.assertIn("A ball", page)
        self.assertIn("✓ passed", page)
        self.assertIn("Too &lt;deep&gt;", page)
        self.assertIn("✗ not passed", page)
        self.assertIn("not finished", page)
        self.assertIn("slipstick run wheel", page)
        self.assertIn('src="runs/ball/thumbnail.png"', page)
        links = re.findall(r'href="(runs/[^"]*)"', page)
        self.assertEqual(len(links), 2)
        for link in links:
            status, report = self.get("/" + link)
            self.assertEqual(status, 200, link)
            self.assertIn("report-data", report)
            self.assertIn("text/html", self.headers["Content-Type"])
        status, summary = self.get("/runs/ball/summary.json")
        self.assertEqual(json.loads(summary)["scene"], "ball")
        self.assertEqual(self.headers["X-Content-Type-Options"], "nosniff")
        self.assertIn("frame-ancestors 'none'", self.headers["Content-Security-Policy"])

    def test_large_files_come_whole(self):
        content = os.urandom(3_000_000)
        (self.folder / "out").mkdir()
        (self.folder / "out/recording.h5").write_bytes(content)
        self.start()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", "/runs/recording.h5")
        self.assertEqual(connection.getresponse().read(), content)
        connection.close()

    def test_no_runs(self):
        self.start()  # not even the folder is there
        status, page = self.get("/")
        self.assertEqual(status, 200)
        self.assertIn("none yet", page)
        self.assertIn("slipstick run wheel", page)

    def test_nothing_outside_of_the_folder(self):
        self.make_runs()
        out = self.folder / "out"
        os.symlink(self.folder / "secret.txt", out / "link.txt")
        os.symlink(self.folder, out / "linked")
        os.symlink(self.folder / "out/ball/summary.json", out / "inside.json")
        self.write("out/.hidden", SECRET)
        self.write("out/ball/.hidden/file.txt", SECRET)
        self.start("out")
        self.assertEqual(self.get("/runs/inside.json")[0], 200)  # a link that stays inside
        absolute = str(self.folder / "secret.txt")
        for path in ("/runs/../secret.txt", "/runs/%2e%2e/secret.txt", "/runs/%2E%2E%2Fsecret.txt", "/runs/..%2fsecret.txt",
                     "/runs/ball/../../secret.txt", "/runs/ball/%2e%2e/%2e%2e/secret.txt", "/../secret.txt", "/%2e%2e/secret.txt",
                     "/runs/..\\secret.txt", "/runs/..%5csecret.txt", "/runs/%252e%252e/secret.txt", "/runs//secret.txt",
                     "/runs/" + absolute, "/runs/" + absolute.replace("/", "%2f"), "//" + absolute, absolute,
                     "/runs/link.txt", "/runs/linked/secret.txt", "/runs/.hidden",
                     "/runs/ball/.hidden/file.txt", "/runs/../out-other/secret.txt", "/runs/..-other/secret.txt",
                     "/runs/secret.txt%00.json", "/runs/ball/summary.json%00", "/runs/./ball/summary.json", "/runs/ball",
                     "/runs/", "/runs", "/etc/passwd", "/runs/..;/secret.txt", "/runs/%c0%ae%c0%ae/secret.txt",
                     "/secret.txt", "/runs/~/secret.txt", "file:///etc/passwd", "/runs/ball/summary.json/"):
            with self.subTest(path):
                status, body = self.get(path)
                self.assertIn(status, (400, 403, 404), body[:100])
                self.assertNotIn(SECRET, body)
                self.assertNotIn("root:", body)
        answer = self.raw(b"GET /runs/\xff\xfe/../../secret.txt HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n" %
                          self.port)
        self.assertNotIn(SECRET, answer)
        answer = self.raw(b"GET /runs/%s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n" % (b"../" * 5000))
        self.assertNotIn(SECRET, answer)
        self.assertEqual(self.get("/")[0], 200)  # and it is still alive

    def test_names_of_other_hosts_are_refused(self):
        self.make_runs()
        self.start()
        good = (f"127.0.0.1:{self.port}", f"localhost:{self.port}")
        for host in good:
            self.assertEqual(self.get("/", host=host)[0], 200)
        for host in ("evil.example", f"evil.example:{self.port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.1.evil.example:{self.port}",
                     f"localhost.evil.example:{self.port}", "", f"[::1]:{self.port}"):
            with self.subTest(host):
                for path in ("/", "/runs/ball/summary.json"):
                    status, body = self.get(path, host=host)
                    self.assertIn(status, (400, 403))
                    self.assertNotIn("ball", body)
        two = b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nHost: evil.example\r\nConnection: close\r\n\r\n" % self.port
        self.assertIn(" 403 ", self.raw(two).splitlines()[0])
        self.assertEqual(self.get("/", headers={"Origin": "http://evil.example"})[0], 403)

    def test_bound_to_loopback_alone(self):
        self.start()
        with open("/proc/net/tcp", encoding="ascii") as file:
            listening = [line.split()[1] for line in file if line.split()[3] == "0A"]
        mine = [place for place in listening if int(place.split(":")[1], 16) == self.port]
        self.assertEqual([place.split(":")[0] for place in mine], ["0100007F"])
        with open("/proc/net/tcp6", encoding="ascii") as file:
            self.assertFalse([line for line in file if line.split()[1].endswith(f":{self.port:04X}") and line.split()[3] == "0A"])

    def test_only_reading(self):
        self.make_runs()
        self.start()
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            status, _ = self.get("/runs/ball/summary.json", method=method, headers={"Content-Length": "0"})
            self.assertIn(status, (400, 404, 405))
        self.assertTrue((self.folder / "out/ball/summary.json").is_file())

    def test_what_is_refused(self):
        self.write("file.txt", "")
        self.assertIn("no such folder", self.refused("view", "nowhere"))
        self.assertIn("folder", self.refused("view", "file.txt"))
        self.assertIn("--port", self.refused("view", "--port", "70000"))
        self.start()
        self.assertIn("taken", self.refused("view", "--port", str(self.port)))

    def test_ends_by_ctrl_c_with_connections_open(self):
        self.make_runs()
        self.start()
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(b"GET / HT")  # never finished
            start = time.monotonic()
            self.process.send_signal(signal.SIGINT)
            self.process.wait(timeout=20)
            self.assertLess(time.monotonic() - start, 15)
