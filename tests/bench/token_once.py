"""Give a list to a new account, and print a token of it that may read: `python -m tests.bench.token_once LINK`."""

import sys

import django


def main() -> None:
    django.setup()
    from django.contrib.auth.models import User

    from roster.models import Roster
    from roster.services.tokens import create_token

    owner = User.objects.create(username="owner-of-a-token")
    Roster.objects.filter(link_id=sys.argv[1]).update(owner=owner, owner_key="")
    _token, secret = create_token(owner, "bench", ["read"], 30)
    print(secret)


if __name__ == "__main__":
    main()
