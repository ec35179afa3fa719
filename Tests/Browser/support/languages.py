"""The languages of the pages, one after the other on one phone."""

LANGUAGES = ["de", "en", "es", "fr", "nl", "sv", "zh"]


def speak(page, language):
    """The page in another language, as its settings change it. What is opened anew is said anew."""
    page.evaluate("""async (language) => {
      const main = [...document.scripts].find((one) => one.src.includes('/app/main.js')).src;
      await (await import(new URL('core/i18n.js', main).href)).useLanguage(language);
    }""", language)
