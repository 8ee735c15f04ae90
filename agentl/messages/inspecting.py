"""What `agentl infer` and `agentl plan` say."""

from __future__ import annotations

from agentl.messages.message import Message, Text

BAD_STATE_FILE = Message(
    "C040",
    "bad-state-file",
    "`{path}` does not hold one JSON object of paths and values: {detail}",
    "`{path}` ne contient pas un objet JSON de chemins et de valeurs : {detail}",
)

INSPECT_FILE = Text("The program, or - for standard input.", "Le programme, ou - pour l'entrée standard.")
INSPECT_TICKS = Text(
    "Run N real ticks first, tools included; needs --live. 0: perceive without acting.",
    "Exécute d'abord N vrais ticks, outils compris ; demande --live. 0 : percevoir sans agir.",
)
INSPECT_LIVE = Text(
    "Let the ticks of --ticks act on the real world.",
    "Laisse les ticks de --ticks agir sur le monde réel.",
)
INSPECT_HOST = Text("The host module, instead of the one beside the program.", "Le module hôte, au lieu du voisin.")
INSPECT_STATE = Text(
    "An invented world instead of a host: a JSON object of paths and values.",
    "Un monde inventé au lieu d'un hôte : un objet JSON de chemins et de valeurs.",
)
INSPECT_FORMAT = Text("How the result is written.", "Forme du résultat.")

EMPTY_WORLD = Text(
    "warning: there is no host `{path}`; every sensor is silent",
    "attention : il n'y a pas d'hôte `{path}` ; tous les capteurs se taisent",
)
LIVE_NOT_DURABLE = Text(
    "these ticks keep no journal: after a crash nothing tells what they did (agentl run --durable DIR keeps one)",
    "ces ticks ne tiennent pas de journal : après un crash rien ne dit ce qu'ils ont fait (agentl run --durable DIR"
    " en tient un)",
)
LIVE_TICKS = Text(
    "{count} real ticks were run: {calls} tool calls",
    "{count} vrais ticks exécutés : {calls} appels d'outils",
)
WAITING = Text(
    "waiting for a person to decide on {subject}; nothing of these ticks is kept for the answer",
    "en attente d'une décision humaine sur {subject} ; rien de ces ticks n'est gardé pour la réponse",
)
AGENT = Text("agent {name}", "agent {name}")
TRUE = Text("true", "vrai")
FALSE = Text("false", "faux")
UNDETERMINED = Text("undetermined", "indéterminé")

NO_HYPOTHESES = Text("  no hypotheses", "  aucune hypothèse")
ABOVE = Text(
    "  {name}: {prior} → {posterior}, above the threshold {threshold}",
    "  {name} : {prior} → {posterior}, au-dessus du seuil {threshold}",
)
BELOW = Text(
    "  {name}: {prior} → {posterior}, below the threshold {threshold}",
    "  {name} : {prior} → {posterior}, en dessous du seuil {threshold}",
)
SHIFT = Text(
    "    evidence {bits} bits; reachable {low} to {high}",
    "    preuves {bits} bits ; atteignable de {low} à {high}",
)
SHIFT_CAPPED = Text(
    "    evidence {bits} bits, capped by MAX_EVIDENCE; reachable {low} to {high}",
    "    preuves {bits} bits, limitées par MAX_EVIDENCE ; atteignable de {low} à {high}",
)
NAIVE = Text(
    "    naive posterior, without groups and cap: {naive}",
    "    postérieur naïf, sans groupes ni limite : {naive}",
)
ITEM = Text("    {bits} bits  {outcome}  {test}", "    {bits} bits  {outcome}  {test}")
ABSORBED = Text(
    "    {bits} bits  {outcome}  {test}  (absorbed in group {group})",
    "    {bits} bits  {outcome}  {test}  (absorbé dans le groupe {group})",
)

NO_OPERATORS = Text(
    "  no operators: no tool has EFFECT or OUTCOME",
    "  aucun opérateur : aucun outil n'a EFFECT ou OUTCOME",
)
OPERATORS = Text("  operators:", "  opérateurs :")
OPERATOR = Text("    {name}  cost {cost}", "    {name}  coût {cost}")
OPERATOR_BY_RISK = Text(
    "    {name}  cost {cost} (from risk {risk})",
    "    {name}  coût {cost} (du risque {risk})",
)
EXCLUSIONS = Text("  ruled out:", "  écartés :")
EXCLUDED = Text("    {tool}  [{stage}] {reason}", "    {tool}  [{stage}] {reason}")
EXCLUDED_BY_RULE = Text(
    "    {tool}  [{stage}] {reason}; rule: {rule}",
    "    {tool}  [{stage}] {reason} ; règle : {rule}",
)
PLAN = Text("  plan:", "  plan :")
PARTIAL_PLAN = Text(
    "  partial plan, below TARGET_CONFIDENCE:",
    "  plan partiel, sous TARGET_CONFIDENCE :",
)
STEP = Text("    {number}. {call}", "    {number}. {call}")
STEP_IF = Text("    {number}. {call}  with probability {firing}", "    {number}. {call}  avec probabilité {firing}")
NEEDS_APPROVAL = Text("{step}  (needs approval)", "{step}  (demande une approbation)")
WORTH = Text(
    "    probability {probability}, cost {cost}, duration {duration} s, expected utility {utility}, score {score}",
    "    probabilité {probability}, coût {cost}, durée {duration} s, utilité espérée {utility}, score {score}",
)
# Why there is no plan, by the status in the JSON form.
NO_PLAN = {
    "no_planner": Text(
        "  no plan: the agent has no PLANNER and never plans by itself",
        "  aucun plan : l'agent n'a pas de PLANNER et ne planifie jamais seul",
    ),
    "no_goals": Text("  no plan: there is no goal to reach", "  aucun plan : il n'y a aucun but à atteindre"),
    "satisfied": Text("  no plan: the goals hold already", "  aucun plan : les buts sont déjà atteints"),
    "exhausted": Text(
        "  no plan: no permitted sequence reaches the goals ({nodes} successors searched)",
        "  aucun plan : aucune suite permise n'atteint les buts ({nodes} successeurs examinés)",
    ),
    "cut_off": Text(
        "  no plan found within MAX_DEPTH {depth} and MAX_NODES {limit} ({nodes} successors searched)",
        "  aucun plan trouvé dans MAX_DEPTH {depth} et MAX_NODES {limit} ({nodes} successeurs examinés)",
    ),
}
FAULT = Text(
    "    cannot be evaluated, counts as false: {text}: {reason}",
    "    ne s'évalue pas, compte comme faux : {text} : {reason}",
)
