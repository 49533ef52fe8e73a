/**
 * The layers of ARCHITECTURE.md as rules: every import counts, those of types too. `npm run lint` reads them; test/unit/layering.test.ts
 * makes sure that they would notice.
 */
/** What a layer may import besides itself, from the lowest up. */
const LAYERS = {
  util: [],
  text: ['util'],
  syntax: ['util', 'text'],
  commandLine: ['util'],
  target: ['util', 'commandLine'],
  filecheck: ['util', 'text'],
  ir: ['util', 'text'],
  model: ['util', 'text', 'syntax', 'target', 'ir'],
  analysis: ['util', 'text', 'target', 'ir', 'model'],
  passes: ['util', 'commandLine', 'text', 'target', 'ir', 'model', 'analysis'],
  program: ['util', 'commandLine', 'filecheck', 'text', 'syntax', 'target', 'ir', 'model', 'analysis', 'passes'],
};
const ENGINE = Object.keys(LAYERS);
LAYERS.features = ENGINE;
LAYERS.host = [...ENGINE, 'features'];
LAYERS.disk = ENGINE;
LAYERS.lsp = [...ENGINE, 'features', 'host', 'disk'];
LAYERS.cli = [...ENGINE, 'features', 'host', 'disk'];

const SERVER = '^server/src/';
const folders = (names) => `${SERVER}(?:${names.join('|')})/`;

/** Folders of `features`, from the lowest up: each imports itself and those before it. */
const FEATURES = [
  ...['symbols', 'snapshot', 'words', 'fixes'],
  ...[
    'checks',
    'schedule',
    'navigation',
    'rename',
    'tokens',
    'pressure',
    'allocation',
    'remat',
    'uniformity',
    'scalarize',
    'controlFlow',
    'levers',
    'passes',
  ],
  ...[
    'refactor',
    'simplify',
    'reduce',
    'diagnostics',
    'assists',
    'hover',
    'lens',
    'completion',
    'format',
    'machineLog',
  ],
];

/** A file beside the folders, or in one that the list does not have, may be imported by none of them. */
const insideFeatures = FEATURES.map((folder, k) => ({
  name: `features-${folder}-imports-down`,
  comment: `features/${folder} may import ${FEATURES.slice(0, k + 1).join(', ')}`,
  severity: 'error',
  from: { path: `${SERVER}features/${folder}/` },
  to: { path: `${SERVER}features/`, pathNot: `${SERVER}features/(?:${FEATURES.slice(0, k + 1).join('|')})/` },
}));

/** What the extension and its pages share with the server: names and types of requests, no code. */
const SHARED_WITH_CLIENT = `${SERVER}(?:lsp/common/(?:customRequests|requests|featureTable)|features/pressure/profileData|features/controlFlow/controlFlowData|features/levers/sweepData|features/machineLog/logGraphData|program/stageNames)[.]ts$`;

const downward = Object.entries(LAYERS).map(([layer, below]) => ({
  name: `${layer}-imports-down`,
  comment: `${layer} may import ${[layer, ...below].join(', ')}`,
  severity: 'error',
  from: { path: folders([layer]) },
  to: { path: SERVER, pathNot: folders([layer, ...below]) },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...downward,
    ...insideFeatures,
    {
      name: 'features-in-folders',
      comment: 'a folder of features has its place in the order',
      severity: 'error',
      from: {},
      to: { path: `${SERVER}features/`, pathNot: `${SERVER}features/(?:${FEATURES.join('|')})/` },
    },
    {
      name: 'no-circle',
      comment: 'no circle of files, of types either',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'an import names something that exists',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^vscode$' },
    },
    {
      name: 'client-shares-request-shapes',
      comment: "the extension knows the server's requests and the names of stages, nothing else of it",
      severity: 'error',
      from: { path: '^client/' },
      to: { path: SERVER, pathNot: SHARED_WITH_CLIENT },
    },
    {
      name: 'webview-without-editor',
      comment: 'a page has neither the editor nor Node',
      severity: 'error',
      from: { path: '^client/webview/' },
      to: {
        pathNot: [
          '^client/webview/',
          `${SERVER}features/(?:pressure/profileData|controlFlow/controlFlowData|levers/sweepData|machineLog/logGraphData)[.]ts$`,
          '^node_modules/@dagrejs/',
        ],
      },
    },
    {
      name: 'platform-at-the-edge',
      comment: 'Node is for disk, lsp/node, cli and the entry points: the rest runs in a browser',
      severity: 'error',
      from: {
        path: SERVER,
        pathNot: [`${SERVER}disk/`, `${SERVER}lsp/node/`, `${SERVER}cli/`, `${SERVER}[^/]+[.]ts$`],
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'disk-at-the-edge',
      comment: 'what runs in a browser has no disk',
      severity: 'error',
      from: {
        path: SERVER,
        pathNot: [`${SERVER}disk/`, `${SERVER}lsp/node/`, `${SERVER}cli/`, `${SERVER}[^/]+[.]ts$`],
      },
      to: { path: folders(['disk']) },
    },
    {
      name: 'node-connection-at-the-edge',
      comment: 'the Node flavour of the protocol library likewise',
      severity: 'error',
      from: { path: SERVER, pathNot: [`${SERVER}lsp/node/`, `${SERVER}[^/]+[.]ts$`] },
      to: { path: 'vscode-languageserver/(?:lib/)?node' },
    },
    {
      name: 'editor-in-client-only',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '(?:^vscode$|node_modules/(?:@types/vscode|vscode-languageclient)/)' },
    },
    {
      name: 'protocol-library-in-lsp-only',
      comment: 'features speak the types of the protocol, not the protocol',
      severity: 'error',
      from: { path: SERVER, pathNot: [`${SERVER}lsp/`, `${SERVER}[^/]+[.]ts$`] },
      to: { path: 'node_modules/vscode-(?:languageserver(?:-protocol)?|jsonrpc)/' },
    },
    {
      name: 'protocol-types-from-features-up',
      comment: 'the engine stands on no package but `diff`, which compares lines for it',
      severity: 'error',
      from: { path: folders(ENGINE) },
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: 'node_modules/diff/' },
    },
  ],
  options: {
    includeOnly: undefined,
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'types'] },
  },
};
