"""The tag that renders a fragment of the builder's page."""

from typing import TYPE_CHECKING

from django import template
from django.template.base import FilterExpression, Parser, Token
from django.template.context import Context
from django.utils.safestring import SafeString

from roster.templatetags.pieces import pieces

if TYPE_CHECKING:
    from roster.views.builder.fragments import Fragment, PageConstants

register = template.Library()


class FragmentNode(template.Node):
    """Renders a fragment in its own context, so that its key covers everything it can show."""

    def __init__(self, part: FilterExpression) -> None:
        self.part = part

    def render(self, context: Context) -> SafeString:
        part: Fragment = self.part.resolve(context)
        constants: PageConstants = context["constants"]
        is_stored = part.stored and not part.oob
        stored_key = (constants.stored_key, part.stored_key) if is_stored else ()
        piece = pieces.find(stored_key) if is_stored else None
        if piece is not None:
            return piece
        assert context.template is not None  # noqa: S101 - Django sets it before it renders a tag
        template_values = {"constants": constants, "part": part, "shows": part.shows, "unkeyed": part.unkeyed}
        inner = context.new({**constants.values, **template_values})
        piece = context.template.engine.get_template(part.template).render(inner)
        if is_stored:
            pieces.put(stored_key, piece)
        return piece


@register.tag("fragment")
def parse_fragment(parser: Parser, token: Token) -> FragmentNode:
    """Parse `{% fragment PART %}`."""
    bits = token.split_contents()
    if len(bits) != 2:
        raise template.TemplateSyntaxError("{% fragment %} needs the fragment to render and nothing else.")
    return FragmentNode(parser.compile_filter(bits[1]))
