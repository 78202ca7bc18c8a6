import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import catalogue.models.base


class Migration(migrations.Migration):
    dependencies = [
        ("club", "0004_forces"),
        ("roster", "0034_print_line"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ClosedTalk",
            fields=[
                (
                    "roster",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="closed_talk",
                        serialize=False,
                        to="roster.roster",
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="PlayerPage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("owner_key", models.CharField(blank=True, db_index=True, max_length=64)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("updated", models.DateTimeField(auto_now=True)),
                ("taken_down", models.BooleanField(default=False)),
                (
                    "link_id",
                    models.CharField(
                        default=catalogue.models.base.new_public_id, editable=False, max_length=22, unique=True
                    ),
                ),
                (
                    "visibility",
                    models.CharField(
                        choices=[("private", "private"), ("link", "by link"), ("public", "public")],
                        default="private",
                        max_length=10,
                    ),
                ),
                ("text", models.TextField(blank=True, max_length=1000)),
                ("shows_lists", models.BooleanField(default=False)),
                ("shows_clubs", models.BooleanField(default=False)),
                ("shows_games", models.BooleanField(default=False)),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "abstract": False,
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("owner__isnull", True), ("owner_key", ""), _connector="OR"),
                        name="club_playerpage_one_owner",
                    ),
                    models.UniqueConstraint(fields=("owner",), name="one_page_per_player"),
                ],
            },
        ),
        migrations.CreateModel(
            name="FollowedPlayer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("owner_key", models.CharField(blank=True, db_index=True, max_length=64)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("updated", models.DateTimeField(auto_now=True)),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "page",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="followers", to="club.playerpage"
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
                "abstract": False,
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("owner__isnull", True), ("owner_key", ""), _connector="OR"),
                        name="club_followedplayer_one_owner",
                    ),
                    models.UniqueConstraint(fields=("owner", "page"), name="followed_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="BlockedPlayer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("owner_key", models.CharField(blank=True, db_index=True, max_length=64)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("updated", models.DateTimeField(auto_now=True)),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
                "abstract": False,
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("owner__isnull", True), ("owner_key", ""), _connector="OR"),
                        name="club_blockedplayer_one_owner",
                    ),
                    models.UniqueConstraint(fields=("owner", "player"), name="blocked_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="LikedList",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("owner_key", models.CharField(blank=True, db_index=True, max_length=64)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("updated", models.DateTimeField(auto_now=True)),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "roster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="likes", to="roster.roster"
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
                "abstract": False,
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("owner__isnull", True), ("owner_key", ""), _connector="OR"),
                        name="club_likedlist_one_owner",
                    ),
                    models.UniqueConstraint(fields=("owner", "roster"), name="liked_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ListComment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("owner_key", models.CharField(blank=True, db_index=True, max_length=64)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("updated", models.DateTimeField(auto_now=True)),
                ("taken_down", models.BooleanField(default=False)),
                ("text", models.TextField(max_length=2000)),
                ("edited", models.DateTimeField(blank=True, null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "roster",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="comments", to="roster.roster"
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
                "abstract": False,
                "indexes": [models.Index(fields=["owner", "created"], name="comments_of_account")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("owner__isnull", True), ("owner_key", ""), _connector="OR"),
                        name="club_listcomment_one_owner",
                    )
                ],
            },
        ),
    ]
