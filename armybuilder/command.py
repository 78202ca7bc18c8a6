"""The command `armybuilder` of an installed wheel: `armybuilder serve`, or any Django command.

`make run` does the same from a clone.
"""

import argparse
import os
import signal
import subprocess
import sys

from django.core.management import call_command, execute_from_command_line

SERVER_SECONDS = 60


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings.local")
    if sys.argv[1:2] == ["serve"]:
        sys.exit(serve(sys.argv[2:]))
    execute_from_command_line(sys.argv)


def serve(arguments: list[str]) -> int:
    """Set everything up, then serve with a worker until either ends or the command is stopped."""
    parser = argparse.ArgumentParser(prog="armybuilder serve", description="Serve Armybuilder on this machine.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args(arguments)
    os.environ["ALLOWED_HOSTS"] = f"{options.host},{os.environ.get('ALLOWED_HOSTS', '')}"

    import django

    django.setup()
    for command in ("migrate", "createcachetable", "load_packs", "load_examples"):
        call_command(command, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)

    bound = f"{options.host}:{options.port}"
    server = [
        sys.executable,
        "-m",
        "gunicorn",
        "armybuilder.wsgi",
        "--bind",
        bound,
        "--workers",
        "2",
        "--threads",
        "40",
    ]
    server += ["--timeout", str(SERVER_SECONDS), "--preload", "--no-control-socket", "--log-level", "warning"]
    worker = [sys.executable, "-m", "django", "db_worker", "--no-reload", "--verbosity", "0"]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with subprocess.Popen(worker) as working, subprocess.Popen(server) as serving:  # noqa: S603 - no shell
        # Only the loopback address has a name that browsers allow passkeys at.
        host_name = "localhost" if options.host == "127.0.0.1" else options.host
        print(f"Armybuilder is on http://{host_name}:{options.port} (stop it with Ctrl-C)", flush=True)  # noqa: T201 - a command
        try:
            return serving.wait()
        except KeyboardInterrupt:
            return 0
        finally:
            for process in (serving, working):
                process.terminate()
