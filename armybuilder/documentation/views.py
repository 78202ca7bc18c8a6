from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from armybuilder.documentation.manual import DOCS, correct_question, find_sections, load_manual, name_page
from catalogue.services.public_answers import identify_nothing, keep_public
from catalogue.views.decorators import allow
from catalogue.views.responses import HtmxRequest, read_query, render_page

MOST_HITS = 40


@keep_public(identify_nothing)
@allow("GET")
def show_manual_page(request: HttpRequest, name: str = "") -> HttpResponse:
    manual = load_manual()
    page = manual.pages.get(name)
    if page is None:
        raise Http404
    path = manual.find_path(page)
    pages = path.pages if path else ()
    place = pages.index(page) if path else 0
    context = {"page": "docs", "shown": page, "path": path, "following": pages[place + 1 : place + 2]}
    return render(request, "docs/page.html" if name else "docs/index.html", context)


@allow("GET")
def search_manual(request: HtmxRequest) -> HttpResponse:
    text = read_query(request, "q")
    hits = find_sections(text)
    corrected = ""
    if text and not hits:
        corrected = correct_question(text)
        hits = find_sections(corrected)
    context = {"page": "docs", "text": text, "corrected": corrected, "count": len(hits), "hits": hits[:MOST_HITS]}
    return render_page(request, "docs/search.html", context, "results")


@allow("GET")
def serve_manual_file(request: HttpRequest, name: str) -> HttpResponse:
    """Serve a file to copy, or redirect to the page of a Markdown file."""
    manual = load_manual()
    if name in manual.files:
        return HttpResponse(manual.files[name].read_bytes(), content_type="text/plain; charset=utf-8")
    page_name = name_page(DOCS + name)
    if page_name in manual.pages:
        return redirect("docs-page", page_name) if page_name else redirect("docs")
    raise Http404
