"""What is said about MCP servers over HTTP: addresses and headers, and every way in which they give no answer."""

from __future__ import annotations

from agentl.messages.message import Message, Text

# --- Addresses and headers -------------------------------------------------------------------------------------------

PLAIN_HTTP = Message(
    "H040",
    "mcp-plain-http",
    en="the MCP server `{server}` is at {url}: over plain http:// anybody on the way can read and change what is sent",
    fr="le serveur MCP `{server}` est à {url} : en simple http://, chacun en chemin peut lire et changer ce qui est"
    " envoyé",
    help=Text(
        en='use https://, or allow it on a network you trust: --allow-http, or `"allow_http": true` in its entry',
        fr='utilisez https://, ou permettez-le sur un réseau de confiance : --allow-http, ou `"allow_http": true` dans'
        " son entrée",
    ),
)
BAD_URL = Text(
    "its `url` is no address with http:// or https://", "son `url` n'est pas une adresse http:// ou https://"
)
SECRET_IN_URL = Text(
    "its `url` holds a credential or takes its query from the environment: an address is shown and logged, so give"
    " credentials in `headers`",
    "son `url` contient un secret ou prend sa requête dans l'environnement : une adresse est montrée et journalisée,"
    " donnez donc les secrets dans `headers`",
)
BAD_HEADER_NAME = Text("`{name}` is no header it can be given", "`{name}` n'est pas un en-tête qu'on peut lui donner")
BAD_HEADER_VALUE = Text(
    "the value of the header `{name}` is empty or has characters a header cannot have",
    "la valeur de l'en-tête `{name}` est vide ou a des caractères interdits dans un en-tête",
)
EXPECTED_TRANSPORT = Text("`http` or `sse`", "`http` ou `sse`")
EXPECTED_TRUTH = Text("true or false", "true ou false")

# --- No answer -------------------------------------------------------------------------------------------------------

NOT_REACHED_AT = Message(
    "H041",
    "mcp-not-reached",
    en="the MCP server `{server}` was not reached at {url}: {reason}",
    fr="le serveur MCP `{server}` n'a pas été joint à {url} : {reason}",
    help=Text(
        en="check that it is running, and its host and port",
        fr="vérifiez qu'il tourne, ainsi que son hôte et son port",
    ),
)
NOT_IN_TIME = Text("no connection in time", "pas de connexion à temps")
TLS_FAILED = Message(
    "H042",
    "mcp-tls-failed",
    en="no secure connection to the MCP server `{server}` at {url}: {reason}",
    fr="pas de connexion sûre avec le serveur MCP `{server}` à {url} : {reason}",
    help=Text(
        en="check the address; for a certificate of your own authority name its file in SSL_CERT_FILE",
        fr="vérifiez l'adresse ; pour un certificat de votre propre autorité, nommez son fichier dans SSL_CERT_FILE",
    ),
)
CREDENTIALS_REFUSED = Message(
    "H043",
    "mcp-credentials-refused",
    en="the MCP server `{server}` at {url} refuses the credentials: HTTP {status}{said}",
    fr="le serveur MCP `{server}` à {url} refuse les identifiants : HTTP {status}{said}",
    help=Text(
        en='give them from the environment: --bearer-env NAME, or `"headers": {{"Authorization": "Bearer ${{NAME}}"}}`'
        " in its entry",
        fr='donnez-les par l\'environnement : --bearer-env NOM, ou `"headers": {{"Authorization": "Bearer ${{NOM}}"}}`'
        " dans son entrée",
    ),
)
NO_SUCH_PLACE = Message(
    "H044",
    "mcp-no-such-endpoint",
    en="the MCP server `{server}` is not at {url}: HTTP {status}{said}",
    fr="le serveur MCP `{server}` n'est pas à {url} : HTTP {status}{said}",
    help=Text(
        en="check the path, often /mcp; an older server speaks SSE, often at /sse: --transport sse, or"
        ' `"type": "sse"` in its entry',
        fr="vérifiez le chemin, souvent /mcp ; un ancien serveur parle SSE, souvent à /sse : --transport sse, ou"
        ' `"type": "sse"` dans son entrée',
    ),
)
SERVER_REFUSES = Message(
    "H045",
    "mcp-request-refused",
    en="the MCP server `{server}` at {url} refuses the request: HTTP {status}{said}",
    fr="le serveur MCP `{server}` à {url} refuse la requête : HTTP {status}{said}",
    help=Text(
        en="what it says, or its log, tells why; after 429, later may be enough",
        fr="ce qu'il dit, ou son journal, indique pourquoi ; après 429, plus tard peut suffire",
    ),
)
SERVER_FAILS = Message(
    "H046",
    "mcp-server-fails",
    en="the MCP server `{server}` at {url} fails: HTTP {status}{said}",
    fr="le serveur MCP `{server}` à {url} est en panne : HTTP {status}{said}",
    help=Text(en="its log tells why", fr="son journal indique pourquoi"),
)
REDIRECTED = Message(
    "H047",
    "mcp-redirected",
    en="the MCP server `{server}` sends on from {url} to {location}, where nothing was sent: HTTP {status}",
    fr="le serveur MCP `{server}` renvoie de {url} vers {location}, où rien n'a été envoyé : HTTP {status}",
    help=Text(
        en="if that is where it is now, give that address",
        fr="si c'est là qu'il est désormais, donnez cette adresse",
    ),
)
NOT_MCP = Message(
    "H048",
    "mcp-not-an-mcp-server",
    en="what answers for `{server}` at {url} is no MCP server: {reason}",
    fr="ce qui répond pour `{server}` à {url} n'est pas un serveur MCP : {reason}",
    help=Text(en="check the address and its path", fr="vérifiez l'adresse et son chemin"),
)
OTHER_CONTENT = Text("HTTP {status} with content type {kind}", "HTTP {status} avec le type de contenu {kind}")
COMPRESSED = Text(
    "the answer is compressed, which was not asked for", "la réponse est compressée, ce qui n'a pas été demandé"
)
NO_JSON_RPC = Text("the answer is not JSON-RPC", "la réponse n'est pas du JSON-RPC")
ANSWER_TOO_LARGE = Message(
    "H049",
    "mcp-answer-too-large",
    en="the MCP server `{server}` at {url} answers with more than {limit} MiB, the rest was not read",
    fr="le serveur MCP `{server}` à {url} répond par plus de {limit} Mio, la suite n'a pas été lue",
    help=Text(
        en="ask for less at a time, or have the server give a reference instead of the data",
        fr="demandez moins à la fois, ou faites donner au serveur une référence plutôt que les données",
    ),
)
CONNECTION_LOST = Message(
    "H050",
    "mcp-connection-lost",
    en="the connection to the MCP server `{server}` at {url} was lost: {reason}",
    fr="la connexion au serveur MCP `{server}` à {url} a été perdue : {reason}",
    help=Text(
        en="check that it is still running; its log tells what came of the request",
        fr="vérifiez qu'il tourne encore ; son journal indique ce qu'est devenue la requête",
    ),
)
NO_ANSWER_IN_TIME = Message(
    "H051",
    "mcp-no-answer-in-time",
    en="the MCP server `{server}` at {url} gave no answer within {seconds} s",
    fr="le serveur MCP `{server}` à {url} n'a pas répondu en {seconds} s",
    help=Text(
        en="check that it is not overloaded; give a slow tool more time with `timeout_s`",
        fr="vérifiez qu'il n'est pas surchargé ; donnez plus de temps à un outil lent avec `timeout_s`",
    ),
)

# --- The command -----------------------------------------------------------------------------------------------------

ONLY_FOR_ADDRESS = Message(
    "C084",
    "mcp-option-needs-address",
    en="{option} goes with the address of a server; in `{path}` it stands in the entry of each server",
    fr="{option} va avec l'adresse d'un serveur ; dans `{path}`, cela figure dans l'entrée de chaque serveur",
)
BAD_HEADER_OPTION = Message(
    "C085",
    "mcp-header-option-unreadable",
    en="`{given}` is not HEADER=NAME, a header and the environment variable that holds its value",
    fr="`{given}` n'est pas EN-TÊTE=NOM, un en-tête et la variable d'environnement qui contient sa valeur",
)
OPTION_BEARER = Text(
    "Send `Authorization: Bearer …` with the token in this environment variable.",
    "Envoie `Authorization: Bearer …` avec le jeton de cette variable d'environnement.",
)
OPTION_HEADER = Text(
    "Send a header with the value of an environment variable. May be repeated.",
    "Envoie un en-tête avec la valeur d'une variable d'environnement. Peut être répété.",
)
OPTION_TRANSPORT = Text(
    "How the server at the address speaks: streamable HTTP, or SSE as older ones do.",
    "Comment parle le serveur à l'adresse : HTTP streamable, ou SSE comme les anciens.",
)
OPTION_ALLOW_HTTP = Text(
    "Allow plain http:// to another machine, on a network you trust.",
    "Permet le simple http:// vers une autre machine, sur un réseau de confiance.",
)
