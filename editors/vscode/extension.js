// Starts `agentl lsp` for *.agent files; everything else is the server's.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const [command, ...args] = workspace.getConfiguration("agentl").get("command");
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath;
  const watched = ["**/*.agent", "**/*.py", "**/{agentl,pyproject}.toml"];
  client = new LanguageClient(
    "agentl",
    "agentl",
    { command, args, options: { cwd: folder } },
    {
      documentSelector: [{ language: "agentl" }],
      synchronize: { fileEvents: watched.map((pattern) => workspace.createFileSystemWatcher(pattern)) },
    },
  );
  return client.start();
};

exports.deactivate = () => client?.stop();
