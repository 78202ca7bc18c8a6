from django.contrib.staticfiles.apps import StaticFilesConfig as DjangoStaticFilesConfig


class StaticFilesConfig(DjangoStaticFilesConfig):
    """Excludes files that no page uses: npm metadata, Redoc, the browsable API's pages."""

    ignore_patterns = [  # noqa: RUF012 - Django declares it as a plain list
        *DjangoStaticFilesConfig.ignore_patterns,
        "package.json",
        "package-lock.json",
        "node_modules",
        "redoc",
        "rest_framework",
    ]
