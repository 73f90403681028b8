/** Which rooms each room may import from. Everything not listed is forbidden. */
const MAY_IMPORT = {
  domain: [],
  ports: ['domain'],
  engine: ['domain', 'ports'],
  contract: ['domain'],
  client: ['contract', 'domain'],
  home: ['contract', 'client', 'domain'],
  adapters: ['domain', 'ports'],
  server: ['domain', 'ports', 'engine', 'contract'],
  cli: ['contract', 'client', 'home', 'domain'],
  daemon: ['domain', 'ports', 'engine', 'contract', 'adapters', 'server'],
  library: ['domain', 'contract', 'client', 'home', 'daemon'],
}

const TEST = '\\.test\\.tsx?$'

const roomRules = Object.entries(MAY_IMPORT).map(([room, allowed]) => ({
  name: `room-${room}`,
  comment: `${room} may import only: ${allowed.join(', ') || 'nothing'}`,
  severity: 'error',
  from: { path: `^src/${room}/`, pathNot: TEST },
  to: { path: '^src/', pathNot: `^src/(${[room, ...allowed].join('|')})/` },
}))

/** The engine's folders, lowest first. Each may import only from those before it, so that they form no cycle. */
const ENGINE_FOLDERS = [
  'prompts',
  'providers',
  'projects',
  'trees',
  'approvals',
  'trust',
  'receipts',
  'admission',
  'sessions',
  'handoffs',
  'messages',
  'attempts',
  'budget',
  'checks',
  'loaded-runs',
  'landing',
  'baselines',
  'runs',
  'jobs',
  'discovery',
  'roles',
  'queries',
  'cleanup',
  'recovery',
  'handlers',
]

const engineRules = ENGINE_FOLDERS.map((folder, index) => ({
  name: `engine-${folder}`,
  comment: `engine/${folder} may import only engine folders that stand before it in ENGINE_FOLDERS`,
  severity: 'error',
  from: { path: `^src/engine/${folder}/`, pathNot: TEST },
  to: {
    path: '^src/engine/[^/]+/',
    pathNot: `^src/engine/(${ENGINE_FOLDERS.slice(0, index + 1).join('|')})/`,
  },
}))

/** The sub-folders of engine/sessions, in the same order: a folder imports only those before it. */
const SESSION_FOLDERS = ['purposes', 'end', 'start', 'listen', 'create']
const sessionRules = SESSION_FOLDERS.map((folder, index) => ({
  name: `sessions-${folder}`,
  comment: `engine/sessions/${folder} may import only sub-folders that stand before it in SESSION_FOLDERS`,
  severity: 'error',
  from: { path: `^src/engine/sessions/${folder}/`, pathNot: TEST },
  to: {
    path: '^src/engine/sessions/[^/]+/',
    pathNot: `^src/engine/sessions/(${SESSION_FOLDERS.slice(0, index + 1).join('|')})/`,
  },
}))

module.exports = {
  forbidden: [
    ...roomRules,
    ...engineRules,
    ...sessionRules,
    {
      name: 'pure-rooms',
      comment:
        'domain, ports, contract and client must load in a browser: no node builtins, no npm but zod and the SSE parser',
      severity: 'error',
      from: { path: '^src/(domain|ports|contract|client)/', pathNot: TEST },
      to: {
        dependencyTypes: ['core', 'npm'],
        pathNot: 'node_modules/(zod|@hono/zod-openapi|eventsource-parser)/',
      },
    },
    {
      name: 'adapters-are-strangers',
      comment: 'one adapter never imports another; share through ports or domain',
      severity: 'error',
      from: { path: '^src/adapters/([^/]+)/([^/]+)/', pathNot: TEST },
      to: { path: '^src/adapters/', pathNot: '^src/adapters/($1/($2|shared|acp)|shared)/' },
    },
    {
      name: 'one-composition-root',
      comment: 'only daemon/compose names adapters',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(adapters/|daemon/compose\\.ts$)|${TEST}` },
      to: { path: '^src/adapters/' },
    },
    {
      name: 'server-asks-the-engine',
      comment: 'routes call commands and queries; of the ports, the server uses only what it serves itself',
      severity: 'error',
      from: { path: '^src/server/', pathNot: TEST },
      to: {
        path: '^src/ports/',
        pathNot: '^src/ports/(event-feed|terminal-host|session-host|log)\\.ts$',
      },
    },
    {
      name: 'events-are-built',
      comment: 'an event is made by the builders of its noun in domain/event and in no other way',
      severity: 'error',
      from: { pathNot: '^src/domain/event/' },
      to: { path: '^src/domain/event/new-event' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-test-imports',
      severity: 'error',
      from: { path: '^src/', pathNot: TEST },
      to: { path: `${TEST}|^test/` },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
    },
  },
}
