"""What is said about MCP: sources of tools, catalogues that changed, programs written from them, calls that failed."""

from __future__ import annotations

from agentl.messages.message import Message, Text

SOURCE_UNREADABLE = Message(
    "H030",
    "mcp-source-unreadable",
    en="`{path}` is no source of MCP tools: {reason}",
    fr="`{path}` n'est pas une source d'outils MCP : {reason}",
    help=Text(
        en="a source is a JSON file with `mcpServers` or `servers`, a captured answer to tools/list, or an address",
        fr="une source est un fichier JSON avec `mcpServers` ou `servers`, une réponse à tools/list enregistrée, ou"
        " une adresse",
    ),
)
NOT_JSON = Text("it is not JSON ({detail})", "ce n'est pas du JSON ({detail})")
NEITHER_CONFIG_NOR_LIST = Text("it has neither servers nor a list of tools", "il n'a ni serveurs ni liste d'outils")
BAD_SERVER = Message(
    "H031",
    "mcp-server-unusable",
    en="the MCP server `{server}` cannot be used: {reason}",
    fr="le serveur MCP `{server}` n'est pas utilisable : {reason}",
)
COMMAND_OR_URL = Text(
    "its entry needs either a `command` to start it or a `url` to reach it",
    "son entrée doit avoir soit un `command` qui le lance, soit une `url` où le joindre",
)
BAD_ENTRY = Text("`{field}` is not {expected}", "`{field}` n'est pas {expected}")
EXPECTED_TEXT = Text("a text", "un texte")
EXPECTED_TEXTS = Text("a list of texts", "une liste de textes")
EXPECTED_TEXTS_BY_NAME = Text("texts by name", "des textes par nom")
UNSET_VARIABLE = Text(
    "the environment variable `{name}` is not set", "la variable d'environnement `{name}` n'est pas définie"
)
NOT_STARTED = Text("it gave no list of tools: {reason}", "il n'a pas donné de liste d'outils : {reason}")
ONLY_CAPTURED = Text(
    "a captured list of tools can be imported, but not called",
    "une liste d'outils enregistrée peut être importée, mais pas appelée",
)
BAD_CATALOGUE = Message(
    "H032",
    "mcp-catalogue-unusable",
    en="the tools of the MCP server `{server}` cannot be used: {reason}",
    fr="les outils du serveur MCP `{server}` ne sont pas utilisables : {reason}",
)
BAD_TOOL = Text("tool {number} has no usable {field}", "l'outil {number} n'a pas de {field} utilisable")
SAME_NAME = Text(
    "`{first}` and `{second}` would both be called `{name}`", "`{first}` et `{second}` s'appelleraient `{name}`"
)
TAKEN = Text("the host already has a tool `{name}`", "l'hôte a déjà un outil `{name}`")
NOT_WHOLE = Text(
    "the list goes on on another page (`nextCursor`)", "la liste continue sur une autre page (`nextCursor`)"
)
NO_END = Text("the list of tools does not end", "la liste d'outils ne finit pas")
UNKNOWN_SERVER = Message(
    "H033",
    "mcp-server-unknown",
    en="the source has no MCP server `{server}`",
    fr="la source n'a pas de serveur MCP `{server}`",
    help=Text(en="it has: {servers}", fr="elle a : {servers}"),
)
NOT_PINNED = Message(
    "H034",
    "mcp-catalogue-not-pinned",
    en="`{path}` names no catalogue of the MCP server `{server}`",
    fr="`{path}` ne nomme pas de catalogue du serveur MCP `{server}`",
    help=Text(
        en="keep the line `# catalogue …` that `agentl mcp import` writes, in the program that has the tools",
        fr="gardez la ligne `# catalogue …` qu'écrit `agentl mcp import`, dans le programme qui a les outils",
    ),
)
CATALOGUE_CHANGED = Message(
    "H035",
    "mcp-catalogue-changed",
    en="the MCP server `{server}` does not offer the tools that were imported: {changes}; its catalogue is {found},"
    " not {pinned}",
    fr="le serveur MCP `{server}` n'offre pas les outils importés : {changes} ; son catalogue est {found}, et non"
    " {pinned}",
    help=Text(
        en="import again into another file, judge what changed, then keep the new `# catalogue …` line",
        fr="importez de nouveau dans un autre fichier, jugez ce qui a changé, puis gardez la nouvelle ligne"
        " `# catalogue …`",
    ),
)
TOOLS_CHANGED = Text("changed: {names}", "changés : {names}")
TOOLS_GONE = Text("gone: {names}", "disparus : {names}")
TOOLS_NEW = Text("new: {names}", "nouveaux : {names}")
CHANGES_UNKNOWN = Text(
    "which tools changed cannot be told without the lines `# tool …` of the import",
    "quels outils ont changé ne peut se dire sans les lignes `# tool …` de l'import",
)
NO_SUCH_TOOL = Text(
    "the MCP server `{server}` has no tool for `{tool}`", "le serveur MCP `{server}` n'a pas d'outil pour `{tool}`"
)

# Recorded as the outcome of an action, so always said in English (decision 27).
NOT_REACHED = Text(
    "nothing was sent to the MCP server `{server}`: {reason}",
    "rien n'a été envoyé au serveur MCP `{server}` : {reason}",
)
CHANGED_MEANWHILE = Text(
    "the MCP server `{server}` offers other tools than were imported, nothing was sent: {changes}; catalogue {found}",
    "le serveur MCP `{server}` offre d'autres outils que ceux importés, rien n'a été envoyé : {changes} ; catalogue"
    " {found}",
)
NOT_SENDABLE = Text(
    "argument {name} cannot be sent as JSON: {reason}", "l'argument {name} ne peut pas être envoyé en JSON : {reason}"
)
NOT_TAKEN_UP = Text(
    "the MCP server `{server}` did not take up the call of `{tool}`, nothing was done: {reason}",
    "le serveur MCP `{server}` n'a pas pris l'appel de `{tool}`, rien n'a été fait : {reason}",
)
NOT_CONNECTED = Text("the connection was closed before the call", "la connexion a été fermée avant l'appel")
NO_ANSWER = Text(
    "the MCP server `{server}` did not answer the call of `{tool}`: {reason}",
    "le serveur MCP `{server}` n'a pas répondu à l'appel de `{tool}` : {reason}",
)
TOOL_FAILED = Text(
    "`{tool}` failed on the MCP server `{server}`: {reason}", "`{tool}` a échoué sur `{server}` : {reason}"
)
ASKS_BACK = Text("it asks for input nobody is there to give", "il demande une saisie que personne ne peut donner")

# --- The command ----------------------------------------------------------------------------------------------------

SERVER_NEEDED = Message(
    "C080",
    "mcp-server-needed",
    en="`{path}` is a captured list of tools, which does not say whose: name it with --server",
    fr="`{path}` est une liste d'outils enregistrée, qui ne dit pas de qui : nommez-le avec --server",
)
ONE_OUTPUT = Message(
    "C081",
    "mcp-one-output-several-servers",
    en="`{path}` has {count} servers, and --output names one file: choose one with --server",
    fr="`{path}` a {count} serveurs, et --output nomme un seul fichier : choisissez avec --server",
)
TARGET_EXISTS = Message(
    "C082",
    "mcp-target-exists",
    en="`{path}` exists and may hold risks somebody has judged",
    fr="`{path}` existe et contient peut-être des risques que quelqu'un a jugés",
    help=Text(
        en="write elsewhere with --output and compare, or replace it with --force",
        fr="écrivez ailleurs avec --output et comparez, ou remplacez-le avec --force",
    ),
)
NO_SERVERS = Message(
    "C083",
    "mcp-no-servers",
    en="`{path}` has no MCP server",
    fr="`{path}` n'a aucun serveur MCP",
)

EXPLAIN_LIST = Text(
    "List the tools of MCP servers and the fingerprint of their catalogue. Servers of a config are started or reached.",
    "Liste les outils de serveurs MCP et l'empreinte de leur catalogue. Les serveurs d'une config sont lancés ou"
    " joints.",
)
EXPLAIN_IMPORT = Text(
    "Write the tools of MCP servers as programs whose risks a person has yet to judge.",
    "Écrit les outils de serveurs MCP en programmes dont une personne doit encore juger les risques.",
)
SOURCE = Text(
    "The address of a server, a config with mcpServers or servers, or a captured answer to tools/list.",
    "L'adresse d'un serveur, une config avec mcpServers ou servers, ou une réponse à tools/list enregistrée.",
)
OPTION_SERVER = Text(
    "Only this server; needed for a captured list. What the server at an address is called, else its host.",
    "Ce serveur seulement ; requis pour une liste. Le nom du serveur à une adresse, sinon son hôte.",
)
OPTION_OUTPUT = Text("Write here instead of <server>.agent.", "Écrit ici plutôt que dans <serveur>.agent.")
OPTION_FORCE = Text(
    "Replace an existing file, with the risks in it.", "Remplace un fichier existant, avec ses risques."
)
OPTION_UNSAFE = Text(
    "Also write the descriptions, which the server chose and a model may take for orders.",
    "Écrit aussi les descriptions, choisies par le serveur et qu'un modèle peut prendre pour des ordres.",
)
OPTION_STRIP = Text("Leave descriptions out: the default.", "Laisse les descriptions de côté : c'est le défaut.")

LISTED_SERVER = Text(
    "server {server}: {count} tools, catalogue sha256:{digest}",
    "serveur {server} : {count} outils, catalogue sha256:{digest}",
)
LISTED_SUSPICIOUS = Text("  ! reads like an order: {phrase}", "  ! se lit comme un ordre : {phrase}")
IMPORTED = Text(
    "{path}: {count} tools of {server}; set the RISK of each before it can run",
    "{path} : {count} outils de {server} ; fixez le RISK de chacun avant l'exécution",
)

# --- The program that is written ------------------------------------------------------------------------------------

HEADER_ORIGIN = Text(
    "{count} tools of the MCP server {server}, imported by agentl {version}.",
    "{count} outils du serveur MCP {server}, importés par agentl {version}.",
)
HEADER_PIN = Text(
    "The lines above are what the host compares with the server before every call: keep them beside the tools.",
    "Les lignes ci-dessus sont ce que l'hôte compare au serveur avant chaque appel : gardez-les près des outils.",
)
HEADER_JUDGE = Text(
    "Nobody has judged these tools. For each one set RISK, and add the SIDE_EFFECT, EFFECT and COST it has.",
    "Personne n'a jugé ces outils. Pour chacun, fixez RISK et ajoutez SIDE_EFFECT, EFFECT et COST s'il en a.",
)
HEADER_CLAIMS = Text(
    "What stands in quotes comes from the server: a claim, not a fact.",
    "Ce qui est entre guillemets vient du serveur : une affirmation, pas un fait.",
)
COMMENT_OPTIONAL = Text("optional: delete this line to leave it out", "facultatif : supprimez la ligne pour l'omettre")
COMMENT_CALLED = Text("called {name} there", "appelé {name} là-bas")
COMMENT_UNCHECKED = Text("not checked here: {schema}", "non vérifié ici : {schema}")
COMMENT_ANNOTATIONS = Text("the server says: {annotations}", "le serveur dit : {annotations}")
COMMENT_SUSPICIOUS = Text(
    "its description reads like an order: {phrase}", "sa description se lit comme un ordre : {phrase}"
)
COMMENT_MAY_BE_ABSENT = Text("may be absent, so not declared: {name}", "peut manquer, donc non déclaré : {name}")
