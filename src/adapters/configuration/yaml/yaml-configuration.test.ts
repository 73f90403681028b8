import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ConfigurationFailure } from '../../../domain/job/start-failure.ts'
import type { Configuration } from '../../../ports/configuration-source.ts'
import { createYamlConfiguration } from './yaml-configuration.ts'

const EVERYTHING = `
version: 1
checks: ["npm test"]
setup: ["npm ci"]
copy: [".env.example"]
mode: review
agents:
  claude: { provider: claude-code, model: some-model, roles: [worker, reviewer], maxParallel: 3, permissions: ask, fallback: [mine] }
  mine:   { provider: command, command: ["node", "tools/my-agent.mjs"], roles: [worker, planner], env: { LEVEL: 2, ON: true } }
planner: { agent: mine }
learnings: true
taskList: none
secrets: [DEPLOY_KEY]
limits: { parallel: 4, attemptMinutes: 30, jobMinutes: 480, maxCycles: 20, maxAttempts: 3, budgetUsd: 25, dailyUsd: 50, memoryFloorMb: 1024 }
roles: { reviewer: { agent: claude, maxParallel: 1 }, worker: { agent: claude } }
models: { default: { provider: anthropic, model: some-model, baseUrl: "https://models.example/v1", priceUsd: { input: 3, output: 15 } } }
sandbox: { level: bubblewrap, network: deny, memoryMb: 4096, maxProcesses: 500 }
`

describe('the YAML configuration', () => {
  let repository: string
  beforeEach(async () => {
    repository = await mkdtemp(path.join(os.tmpdir(), 'muster-configuration-'))
  })
  afterEach(() => rm(repository, { recursive: true, force: true }))

  const inRepository = (name: string): string => path.join(repository, name)

  async function read(
    files: Readonly<Record<string, string>>,
    environment: Readonly<Record<string, string | undefined>> = {},
  ) {
    for (const [name, text] of Object.entries(files)) await writeFile(inRepository(name), text)
    const personFile = inRepository('person.yaml')
    return createYamlConfiguration({ personFile, environment }).read(repository)
  }

  async function readValid(...[files, environment]: Parameters<typeof read>): Promise<Configuration> {
    const result = await read(files, environment)
    if (!result.ok) throw new Error(JSON.stringify(result.failure))
    return result.value
  }

  async function readInvalid(
    ...[files, environment]: Parameters<typeof read>
  ): Promise<ConfigurationFailure> {
    const result = await read(files, environment)
    if (result.ok) throw new Error('the configuration is valid')
    return result.failure
  }

  it('is empty if there is no file', async () => {
    const nothing = {
      checks: [],
      setup: [],
      copy: [],
      learnings: false,
      taskList: 'branch',
      secrets: [],
      guarded: [],
      agents: [],
      environments: {},
      roles: {},
      limits: {},
      sandbox: { level: 'auto', network: 'allow' },
    }
    expect(await readValid({})).toEqual(nothing)
    expect(await readValid({ 'muster.yaml': '# nothing yet\n' })).toEqual(nothing)
    const elsewhere = await createYamlConfiguration({ environment: {} }).read('/no/such/repository')
    expect(elsewhere).toEqual({ ok: true, value: nothing })
  })

  it("guards the settings of the repository's file, and not those of the person's", async () => {
    const text = 'checks: [npm test]\nmode: review\n'
    const parts = [{ field: 'checks[0]', value: 'npm test', effect: 'runs-programs' }]
    expect((await readValid({ 'muster.yaml': text })).guarded).toEqual(parts)
    await rm(inRepository('muster.yaml'))
    expect((await readValid({ 'person.yaml': text })).guarded).toEqual([])
  })

  it('accepts every field', async () => {
    const { guarded: _, ...settings } = await readValid({ 'muster.yml': EVERYTHING })
    expect(settings).toEqual({
      checks: ['npm test'],
      setup: ['npm ci'],
      copy: ['.env.example'],
      mode: 'review',
      learnings: true,
      taskList: 'none',
      secrets: ['DEPLOY_KEY'],
      agents: [
        {
          name: 'claude',
          provider: 'claude-code',
          model: 'some-model',
          roles: ['worker', 'reviewer'],
          maxParallel: 3,
          env: [],
          permissions: 'ask',
          fallback: ['mine'],
        },
        {
          name: 'mine',
          provider: 'command',
          roles: ['worker', 'planner'],
          env: ['LEVEL', 'ON'],
          command: ['node', 'tools/my-agent.mjs'],
        },
      ],
      environments: { claude: {}, mine: { LEVEL: '2', ON: 'true' } },
      roles: {
        reviewer: { agents: ['claude'], maxParallel: 1 },
        worker: { agents: ['claude'] },
        planner: { agents: ['mine'] },
      },
      limits: {
        parallel: 4,
        attemptMinutes: 30,
        jobMinutes: 480,
        maxCycles: 20,
        maxAttempts: 3,
        budgetUsd: 25,
        dailyUsd: 50,
        memoryFloorMb: 1024,
      },
      sandbox: { level: 'bubblewrap', network: 'deny', memoryMb: 4096, maxProcesses: 500 },
    })
  })

  it('resolves relative programs and scripts against the repository', async () => {
    const { agents } = await readValid({
      'muster.yaml': `
agents:
  a: { provider: command, command: [./tools/agent, ./data] }
  b: { provider: command, command: [/usr/bin/agent] }
  c: { provider: scripted, script: scripts/play.yaml }
`,
    })
    expect(agents.map((agent) => agent.command ?? agent.script)).toEqual([
      [inRepository('tools/agent'), './data'],
      ['/usr/bin/agent'],
      inRepository('scripts/play.yaml'),
    ])
  })

  it("prefers the person's file to the repository's, and the environment to both", async () => {
    const files = {
      'muster.yaml': `
checks: [one]
agents:
  a: { provider: command, command: [first], model: m }
  b: { provider: command, command: [second] }
planner: { agent: a }
limits: { parallel: 1, maxCycles: 1, jobMinutes: 1, budgetUsd: 1 }
mode: auto
learnings: true
secrets: [ONE]
`,
      'person.yaml': `
agents: { a: { provider: command, command: [mine] } }
planner: { agent: b }
limits: { parallel: 2, maxCycles: 2 }
mode: review
learnings: false
secrets: [TWO]
`,
    }
    expect(await readValid(files)).toMatchObject({
      checks: ['one'],
      agents: [{ name: 'a', command: ['mine'] }, { name: 'b' }],
      roles: { planner: { agents: ['b'] } },
      limits: { parallel: 2, maxCycles: 2, jobMinutes: 1, budgetUsd: 1 },
      mode: 'review',
      learnings: false,
      secrets: ['ONE', 'TWO'],
    })
    const environment = {
      MUSTER_PARALLEL: ' 3 ',
      MUSTER_MAX_CYCLES: '',
      MUSTER_ATTEMPT_MINUTES: '0.5',
      MUSTER_AGENT: 'b',
      MUSTER_PLANNER: 'a',
      MUSTER_REVIEWER: 'b',
      MUSTER_MODE: 'approve',
      MUSTER_BUDGET_USD: '2.50',
    }
    expect(await readValid(files, environment)).toMatchObject({
      roles: { worker: { agents: ['b'] }, planner: { agents: ['a'] }, reviewer: { agents: ['b'] } },
      mode: 'approve',
      limits: { parallel: 3, maxCycles: 2, jobMinutes: 1, attemptMinutes: 0.5, budgetUsd: 2.5 },
    })
  })

  it('binds any role to agents and models in order of preference', async () => {
    const text = `
agents: { a: { provider: command, command: [a] }, b: { provider: command, command: [b] } }
roles:
  tester: { agents: [b, a], models: [m1, m2], maxParallel: 2 }
  worker: { agents: [a] }
`
    const person = { 'person.yaml': 'roles: { tester: { maxParallel: 1 }, worker: { agent: b } }' }
    const { roles } = await readValid({ 'muster.yaml': text, ...person })
    expect(roles).toEqual({
      tester: { agents: ['b', 'a'], models: ['m1', 'm2'], maxParallel: 1 },
      worker: { agents: ['b'] },
    })
    const unknown = text.replace('[b, a]', '[b, nobody]')
    expect(await readInvalid({ 'muster.yaml': unknown })).toMatchObject({ field: 'roles.tester.agents' })
  })

  describe('with models', () => {
    const MODELS = `
agents: { a: { provider: command, command: [a] } }
models:
  default: { provider: anthropic, model: m1 }
  local: { provider: openai-compatible, model: m2, baseUrl: "http://127.0.0.1:8080/v1" }
`
    const LOCAL = {
      name: 'model-local',
      provider: 'model',
      model: 'm2',
      modelSource: { provider: 'openai-compatible', model: 'm2', baseUrl: 'http://127.0.0.1:8080/v1' },
      roles: ['planner', 'reviewer'],
      env: [],
    }
    const modelAgents = ({ agents }: Configuration) => agents.filter(({ provider }) => provider === 'model')

    it('turns a model into an agent only if it has a role', async () => {
      const without = await readValid({ 'muster.yaml': MODELS })
      expect(without.agents.map((agent) => agent.name)).toEqual(['a'])
      const planner = await readValid({ 'muster.yaml': `${MODELS}planner: { model: local }` })
      expect(planner).toMatchObject({
        roles: { planner: { agents: ['model-local'] } },
        agents: [{ name: 'a' }, LOCAL],
      })
      expect(modelAgents(planner)).toEqual([LOCAL])
      const both = `${MODELS}planner: { model: default }\nroles: { reviewer: { model: local } }`
      const chosen = await readValid({ 'muster.yaml': both })
      expect(chosen.roles).toEqual({
        reviewer: { agents: ['model-local'] },
        planner: { agents: ['model-default'] },
      })
      expect(modelAgents(chosen).map((agent) => agent.name)).toEqual(['model-default', 'model-local'])
    })

    it("prefers the person's definition of a model to the repository's", async () => {
      const files = {
        'muster.yaml': `${MODELS}planner: { model: default }`,
        'person.yaml':
          'models: { default: { provider: openai, model: m3, priceUsd: { input: 1, output: 2 } } }',
      }
      expect(modelAgents(await readValid(files))).toMatchObject([
        { modelSource: { provider: 'openai', model: 'm3', priceUsd: { input: 1, output: 2 } } },
      ])
    })

    it('lets the environment name a model by its agent name, except for a worker', async () => {
      const files = { 'muster.yaml': `${MODELS}planner: { model: default }` }
      const chosen = await readValid(files, { MUSTER_PLANNER: 'a', MUSTER_REVIEWER: 'model-local' })
      expect(chosen.roles).toEqual({
        planner: { agents: ['a'] },
        reviewer: { agents: ['model-local'] },
      })
      expect(modelAgents(chosen)).toEqual([LOCAL])
      const failed = await readInvalid(files, { MUSTER_AGENT: 'model-local' })
      expect(failed).toMatchObject({ field: 'MUSTER_AGENT' })
      expect(failed.problem).toContain('needs an agent')
    })

    it('can have a role of a playbook', async () => {
      await writeFile(inRepository('muster.yaml'), `${MODELS}roles: { historian: { model: local } }`)
      const read = await createYamlConfiguration({ environment: {} }).read(repository)
      expect(read.ok && read.value.roles).toEqual({ historian: { agents: ['model-local'] } })
      expect(read.ok && read.value.agents.map((agent) => [agent.name, agent.roles])).toEqual([
        ['a', ['worker', 'planner']],
        ['model-local', ['planner', 'reviewer']],
      ])
    })

    it('refuses an agent with the same name as a model in use', async () => {
      const text = `
agents: { model-default: { provider: command, command: [a] } }
models: { default: { provider: anthropic, model: m } }
planner: { model: default }`
      expect(await readInvalid({ 'muster.yaml': text })).toMatchObject({ field: 'planner.model', line: 4 })
    })
  })

  it('lets an entry without a provider add settings to the program of that name', async () => {
    const { agents, environments } = await readValid({
      'person.yaml': 'agents: { codex: { env: { MODEL_KEY: "k" } }, claude: { model: m } }',
    })
    expect(agents).toEqual([
      {
        name: 'codex',
        provider: 'codex',
        roles: ['worker', 'planner'],
        env: ['MODEL_KEY'],
        isReadyMade: true,
      },
      {
        ...{ name: 'claude', provider: 'claude-code', model: 'm', roles: ['worker', 'planner'] },
        ...{ env: [], isReadyMade: true },
      },
    ])
    expect(environments).toMatchObject({ codex: { MODEL_KEY: 'k' } })
  })

  describe('with an agent in both files', () => {
    const REPOSITORY = `
agents:
  codex: { provider: codex, model: m, permissions: ask, roles: [worker, reviewer], env: { A: repo, B: repo } }
  claude: { provider: claude-code }
`

    it('keeps what only the repository sets, and its rank', async () => {
      const person = 'agents: { codex: { env: { MODEL_KEY: k, B: mine } } }'
      const { agents, environments, guarded } = await readValid({
        'muster.yaml': REPOSITORY,
        'person.yaml': person,
      })
      expect(agents).toEqual([
        {
          ...{ name: 'codex', provider: 'codex', model: 'm', permissions: 'ask' },
          ...{ roles: ['worker', 'reviewer'], env: ['A', 'B', 'MODEL_KEY'] },
        },
        { name: 'claude', provider: 'claude-code', roles: ['worker', 'planner'], env: [] },
      ])
      expect(environments).toMatchObject({ codex: { A: 'repo', B: 'mine', MODEL_KEY: 'k' } })
      const inRepositoryAlone = guarded.map(({ field }) => field)
      expect(inRepositoryAlone).toEqual(['agents.codex.env.A', 'agents.codex.env.B', 'agents.codex.provider'])
    })

    it('takes each field that the person sets from the person', async () => {
      const person = 'agents: { codex: { model: mine, permissions: bypass, roles: [planner] } }'
      const { agents } = await readValid({ 'muster.yaml': REPOSITORY, 'person.yaml': person })
      expect(agents[0]).toMatchObject({ provider: 'codex', model: 'mine', permissions: 'bypass' })
      expect(agents[0]?.roles).toEqual(['planner'])
    })

    it("has nothing of the repository's if the person gives the name to another program", async () => {
      const person = 'agents: { codex: { provider: opencode } }'
      const { agents, environments } = await readValid({ 'muster.yaml': REPOSITORY, 'person.yaml': person })
      expect(agents[0]).toEqual({
        name: 'codex',
        provider: 'opencode',
        roles: ['worker', 'planner'],
        env: [],
      })
      expect(environments).toMatchObject({ codex: {} })
    })
  })

  it.each<[string, string, number, string]>([
    ['checks: []\nchekcs: []', 'chekcs', 2, 'not a known field'],
    ['limits:\n  paralel: 2', 'limits.paralel', 2, 'not a known field'],
    ['limits:\n  maxCycles: 2\n  parallel: many', 'limits.parallel', 3, 'must be a number'],
    ['limits: { parallel: 0 }', 'limits.parallel', 1, 'must be 1 or more'],
    ['version: 2', 'version', 1, 'must be 1'],
    ['mode: wild', 'mode', 1, 'auto'],
    ['checks: npm test', 'checks', 1, 'must be a list'],
    ['checks:\n  - ok\n  - 5', 'checks[1]', 3, 'must be text'],
    ['agents:\n  "bad name": { provider: command, command: [a] }', 'agents.bad name', 2, 'not a valid name'],
    ['agents:\n  a:\n    roles: [worker]', 'agents.a.provider', 2, 'is required'],
    ['agents:\n  a:\n    provider: command', 'agents.a.command', 2, 'is required'],
    ['agents:\n  a:\n    provider: scripted', 'agents.a.script', 2, 'is required'],
    ['agents:\n  a:\n    provider: command\n    command: []', 'agents.a.command', 4, 'must not be empty'],
    ['agents:\n  a:\n    provider: x\n    env:\n      "A-B": 1', 'agents.a.env.A-B', 5, 'variable'],
    ['checks: []\nplanner:\n  agent: nobody', 'planner.agent', 3, '"nobody"'],
    ['roles:\n  worker:\n    agent: nobody', 'roles.worker.agent', 3, '"nobody"'],
    ['checks: []\nplanner:\n  model: best', 'planner.model', 3, '"best"'],
    ['roles:\n  reviewer:\n    model: best', 'roles.reviewer.model', 3, '"best"'],
    ['checks: []\nplanner: {}', 'planner', 2, 'exactly one'],
    ['planner:\n  agent: a\n  model: b', 'planner', 1, 'exactly one'],
    ['roles:\n  reviewer: { agent: a, model: b }', 'roles.reviewer', 2, 'only one'],
    ['roles:\n  worker:\n    model: best', 'roles.worker.model', 3, 'needs an agent'],
    ['models:\n  a:\n    provider: oracle\n    model: b', 'models.a.provider', 3, 'anthropic'],
    [
      'models:\n  a:\n    provider: openai\n    model: b\n    baseUrl: file:///x',
      'models.a.baseUrl',
      5,
      'http',
    ],
    ['copy:\n  - .env\n  - /etc/passwd', 'copy[1]', 3, 'not absolute'],
    ['copy:\n  - config/../../secret', 'copy[0]', 2, '..'],
    ['learnings: maybe', 'learnings', 1, 'must be true or false'],
    ['limits: { budgetUsd: 0 }', 'limits.budgetUsd', 1, 'must be more than 0'],
    ['limits: { dailyUsd: 0 }', 'limits.dailyUsd', 1, 'must be more than 0'],
    ['limits: { memoryFloorMb: -1 }', 'limits.memoryFloorMb', 1, 'must be 0 or more'],
    ['limits: { parallel: 10001 }', 'limits.parallel', 1, 'must be 10000 or less'],
    ['checks: []\nroles:\n  Reviewer!: { maxParallel: 1 }', 'roles.Reviewer!', 3, 'is not a role name'],
    ['agents:\n  a:\n    provider: x\n    roles: [a, B]', 'agents.a.roles[1]', 4, 'is not a role name'],
    ['- a list', '(file)', 1, 'must be a mapping'],
    ['checks: [\n  "a"\nmode: auto', '(file)', 1, 'not valid YAML: "[" is never closed'],
    ['checks: []\nchecks: []', '(file)', 2, '"checks" is there twice'],
    ['a: 1\n---\nb: 2', '(file)', 2, 'multiple documents'],
  ])('refuses %j and names the file, line and field', async (text, field, line, problem) => {
    const failed = await readInvalid({ 'muster.yaml': text })
    expect(failed).toMatchObject({
      type: 'configuration-invalid',
      file: inRepository('muster.yaml'),
      field,
      line,
    })
    expect(failed.problem).toContain(problem)
  })

  it.each([
    ['MUSTER_PARALLEL', 'four'],
    ['MUSTER_PARALLEL', '1.5'],
    ['MUSTER_MAX_CYCLES', '-1'],
    ['MUSTER_ATTEMPT_MINUTES', 'Infinity'],
    ['MUSTER_AGENT', 'nobody'],
    ['MUSTER_PLANNER', 'nobody'],
    ['MUSTER_PLANNER', 'model-nobody'],
    ['MUSTER_REVIEWER', 'nobody'],
    ['MUSTER_MODE', 'wild'],
    ['MUSTER_BUDGET_USD', '-1'],
    ['MUSTER_BUDGET_USD', '0'],
    ['MUSTER_BUDGET_USD', 'all'],
  ])('refuses %s=%s and names the variable', async (variable, value) => {
    const failed = await readInvalid({}, { [variable]: value })
    expect(failed).toMatchObject({ file: '(environment)', field: variable })
  })

  it("takes the wish for notifications only from the person's own file", async () => {
    expect(await readValid({ 'person.yaml': 'notify: true' })).toBeDefined()
    expect(await readInvalid({ 'muster.yaml': 'notify: true' })).toMatchObject({ field: 'notify' })
  })

  it("takes the database only from the person's own file", async () => {
    expect(await readValid({ 'person.yaml': 'database: { env: DATABASE_URL }' })).toBeDefined()
    const failed = await readInvalid({ 'muster.yaml': 'database: { url: "postgresql://x/y" }' })
    expect(failed).toMatchObject({ file: inRepository('muster.yaml'), field: 'database' })
  })

  it('refuses a muster.yml next to a muster.yaml', async () => {
    const failed = await readInvalid({ 'muster.yaml': '', 'muster.yml': '' })
    expect(failed).toMatchObject({ file: inRepository('muster.yml') })
    expect(failed.problem).toContain('muster.yaml')
  })

  it('refuses a pipe, a file over 1 MiB and a file that is not UTF-8, without blocking', async () => {
    await promisify(execFile)('mkfifo', [inRepository('muster.yaml')])
    expect((await readInvalid({})).problem).toBe('is not a file')
    await rm(inRepository('muster.yaml'))
    expect((await readInvalid({ 'muster.yaml': `#${'x'.repeat(1024 * 1024)}` })).problem).toContain('1 MiB')
    await writeFile(inRepository('muster.yaml'), Buffer.from([0x61, 0xff, 0xfe]))
    expect((await readInvalid({})).problem).toContain('UTF-8')
  })

  it('refuses a muster.yaml that is a symbolic link, and quotes nothing of its target', async () => {
    await writeFile(inRepository('notes'), 'root:x:0:0: [')
    await symlink(inRepository('notes'), inRepository('muster.yaml'))
    const { problem, file, isLink } = await readInvalid({})
    expect([problem, file, isLink]).toEqual([
      'is a symbolic link: replace it with the file itself',
      inRepository('muster.yaml'),
      true,
    ])
  })

  it('withstands exponential aliases and deep nesting', async () => {
    const levels = Array.from({ length: 20 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(10)}]`)
    expect((await readInvalid({ 'muster.yaml': ['a0: &a0 [x]', ...levels].join('\n') })).problem).toContain(
      'alias',
    )
    const started = performance.now()
    await readInvalid({ 'muster.yaml': '['.repeat(1024 * 1024) })
    await readInvalid({ 'muster.yaml': `checks: ${'['.repeat(9_999)}` })
    await readInvalid({ 'muster.yaml': `checks: ${'['.repeat(4_000)}${']'.repeat(4_000)}` })
    await readInvalid({ 'muster.yaml': '- '.repeat(512 * 1024) })
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('keeps a file from changing a prototype', async () => {
    expect(await readInvalid({ 'muster.yaml': '__proto__: { polluted: true }\nchecks: 5' })).toBeDefined()
    await read({ 'muster.yaml': 'agents: { __proto__: { provider: x, polluted: 1 } }' })
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('never throws, even for random files', async () => {
    const field = fc.constantFrom('version', 'checks', 'agents', 'planner', 'limits', 'roles', 'models', 'x')
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.dictionary(field, fc.jsonValue({ maxDepth: 3 })).map((value) => JSON.stringify(value)),
    )
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const result = await read({ 'muster.yaml': text })
        if (!result.ok) expect(result.failure.file).toBe(inRepository('muster.yaml'))
      }),
      { numRuns: 300 },
    )
  })
})
