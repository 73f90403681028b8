import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { containmentsHere } from '../../../../test/support/hosts/containments-here.ts'
import { createHostTrial } from '../../../../test/support/hosts/host-trial.ts'
import { createLocalDisk } from '../../../adapters/disk/local/local-disk.ts'
import type { ProjectId } from '../../../domain/id.ts'
import type { SandboxChoice } from '../../../domain/session/sandbox-policy.ts'
import type { AgentProvider } from '../../../ports/agent-provider.ts'
import type { EngineNeeds } from '../../engine-needs.ts'
import { AgentProviderRegistry } from '../../providers/agent-provider-registry.ts'
import { programPlaces } from './program-places.ts'
import { homeDirectoriesOf, sandboxOf } from './sandbox-of.ts'

const [bubblewrap] = await containmentsHere()
const SECRETS = [
  ...['.cargo/credentials.toml', '.git-credentials', '.tool/token', '.tool/etc/key'],
  ...['.ssh/id_ed25519', '.aws/credentials', '.config/gh/hosts.yml', '.npmrc', '.bash_history'],
  ...['.codex/auth.json', 'muster/token'],
  ...['.tool/bin/credentials.json', '.tool/bin/.env', '.tool/bin/old/id_rsa', '.tool/bin/.aws/config'],
  ...['.tool/lib/.netrc', '.tool/bin/pip.conf', '.nvm/versions/node/v24/etc/npmrc'],
  ...[
    'go/src/example.org/ada/tool/.ENV',
    '.asdf/plugins/x/.env.prod',
    '.sdkman/etc/id_rsa.pem',
    '.deno/key.pem',
  ],
]
const SANDBOX = { level: 'bubblewrap', network: 'allow' } as const
/** What every session sees. */
const OWN = ['.claude/login', 'muster/tree/bin/.env']

describe.skipIf(bubblewrap?.isMissing ?? true)(`the sandbox of a session (${bubblewrap?.name})`, () => {
  it('shows the programs in PATH and their libraries, but no credentials beside them', async () => {
    await using home = await createHome()
    const searchPath = ['.cargo/bin', '.tool/bin/', '.local/bin'].map((path) => join(home.path, path))
    expect(await home.read({ searchPath: searchPath.join(':') })).toEqual([
      ...['.cargo/bin/cargo', '.tool/bin/tool', '.tool/lib/code', ...OWN],
    ])
  })

  it.each(['', '/', '//', '/.', '/.tool/..'])(
    'never shows the home because PATH contains ~%s',
    async (rest) => {
      await using home = await createHome()
      expect(await home.read({ searchPath: `${home.path}${rest}` })).toEqual(['.cargo/bin/cargo', ...OWN])
    },
  )

  it('shows the folder of a configured program, but not its parent', async () => {
    await using home = await createHome()
    const disk = createLocalDisk()
    const command = [join(home.path, '.tool/bin/tool')] as const
    const programs = await programPlaces({ disk, settings: home.settings }, { command, environment: {} })
    expect(await home.read({ programs })).toEqual([
      ...['.cargo/bin/cargo', '.tool/bin/tool', '.tool/lib/code', ...OWN],
    ])
  })

  it('shows a file that a command names, whatever it is called', async () => {
    await using home = await createHome()
    const disk = createLocalDisk()
    const command = [
      join(home.path, '.tool/bin/tool'),
      join(home.path, '.tool/bin/credentials.json'),
    ] as const
    const programs = await programPlaces({ disk, settings: home.settings }, { command, environment: {} })
    expect(await home.read({ programs })).toEqual([
      ...['.tool/bin/credentials.json', '.cargo/bin/cargo', '.tool/bin/tool', '.tool/lib/code', ...OWN],
    ])
  })

  it('shows what is in a directory of credentials that the person named', async () => {
    await using home = await createHome()
    const readable = ['~/.aws/', '~/.tool/bin/.aws']
    const seen = await home.read({}, { ...SANDBOX, readable })
    expect(seen).toEqual(['.aws/credentials', '.tool/bin/.aws/config', '.cargo/bin/cargo', ...OWN])
  })

  it('shows the directory that the person named for the program, instead of the usual one', async () => {
    await using home = await createHome()
    const provider = { homePaths: ['.claude'], homeVariable: 'AGENT_HOME' } as unknown as AgentProvider
    const place = join(home.path, '.tool')
    const settings = { ...home.settings, credentialsOf: () => ({ AGENT_HOME: place }) }
    expect(homeDirectoriesOf({ settings }, provider)).toEqual([place])
    const unset = { ...home.settings, credentialsOf: () => ({}) }
    expect(homeDirectoriesOf({ settings: unset }, provider)).toEqual([join(home.path, '.claude')])
  })

  it("hides the directory that a person named for one agent's program from everything else", async () => {
    await using home = await createHome()
    await using outside = await createHome()
    const login = join(outside.path, '.codex/auth.json')
    const codex = { providerId: 'codex', homePaths: ['.codex'], homeVariable: 'CODEX_HOME' }
    const providers = new AgentProviderRegistry([codex as unknown as AgentProvider], 'codex')
    const settings = { ...home.settings, credentialsOf: () => ({ CODEX_HOME: `${dirname(login)}/` }) }
    const seenBy = (provider: AgentProvider | undefined, sandbox?: SandboxChoice) =>
      home.read({ settings, providers, provider, files: [login] }, sandbox)
    expect(await seenBy(providers.get('codex'))).toEqual([login])
    expect(
      await seenBy({ providerId: 'claude-code', homePaths: ['.claude'] } as unknown as AgentProvider),
    ).toEqual([])
    // Checks have no provider.
    expect(await seenBy(undefined)).toEqual([])
    expect(await seenBy(undefined, { ...SANDBOX, readable: [dirname(login)] })).toEqual([login])
  })

  it('hides nothing in a directory that the session may write to', async () => {
    await using home = await createHome()
    const programs = [join(home.path, '.tool/bin')]
    expect(await home.read({ programs }, { ...SANDBOX, writable: ['~/.tool'] })).toContain('.tool/bin/.env')
  })

  it('hides nothing in a tree, even if the tree may not be changed and a program is in it', async () => {
    await using home = await createHome()
    const programs = [join(home.path, 'muster/tree/bin')]
    expect(await home.read({ programs, isReadOnly: true })).toEqual(['.cargo/bin/cargo', ...OWN])
  })

  it("hides the home of the person's account too if HOME names another, but shows its tools", async () => {
    await using account = await createHome()
    const own = join(account.path, 'other-home')
    const settings = { ...account.settings, personHome: own, accountHome: account.path }
    const searchPath = join(account.path, '.tool/bin')
    expect(await account.read({ searchPath, settings })).toEqual([
      ...['.cargo/bin/cargo', '.tool/bin/tool', '.tool/lib/code', 'muster/tree/bin/.env'],
    ])
    const command = [join(account.path, 'start.sh')] as const
    await writeFile(command[0], '')
    const needs = { disk: createLocalDisk(), settings }
    expect(await programPlaces(needs, { command, environment: {} })).toEqual([command[0], command[0]])
  })

  it('hides credentials inside a readable home, except those that the person named', async () => {
    await using home = await createHome()
    const seen = await home.read({}, { ...SANDBOX, readable: ['~/', '~/.npmrc'] })
    expect(seen.filter((path) => SECRETS.includes(path))).toEqual([
      // Nobody can know where every program keeps its secrets.
      ...['.tool/token', '.tool/etc/key', '.npmrc'],
    ])
  })
})

/** A person's home with programs, credentials and Muster's files. Not in /tmp, which the sandbox replaces. */
async function createHome() {
  const path = await mkdtemp('/var/tmp/muster-home-')
  const tree = join(path, 'muster/tree')
  const files = [...SECRETS, '.cargo/bin/cargo', '.tool/bin/tool', '.tool/lib/code', ...OWN]
  await mkdir(join(path, '.cargo/bin'), { recursive: true })
  for (const file of files) {
    await mkdir(dirname(join(path, file)), { recursive: true })
    await writeFile(join(path, file), 'content\n')
  }
  const settings = {
    personHome: path,
    musterHome: join(path, 'muster'),
    hubsDirectory: join(path, 'muster/hubs'),
    ownTools: [],
  } as unknown as EngineNeeds['settings']
  const provider = { homePaths: ['.claude'] } as unknown as AgentProvider
  return {
    path,
    settings,
    /** Which of the files a program can read. */
    async read(
      {
        isReadOnly = false,
        settings: chosen = settings,
        providers = new AgentProviderRegistry([], ''),
        files: tried = files,
        ...options
      }: {
        readonly providers?: AgentProviderRegistry
        readonly provider?: AgentProvider | undefined
        readonly files?: readonly string[]
        readonly searchPath?: string
        readonly programs?: readonly string[]
        readonly isReadOnly?: boolean
        readonly settings?: EngineNeeds['settings']
      },
      sandbox: SandboxChoice = SANDBOX,
    ): Promise<readonly string[]> {
      await using trial = await createHostTrial({ hostsDirectory: join(path, 'muster/hosts') })
      const policy = sandboxOf(
        { settings: chosen, providers },
        {
          sandbox,
          tree: { project: 'p' as ProjectId, directory: tree, commit: '', branch: '' },
          projectId: 'p' as ProjectId,
          isReadOnly,
        },
        { sessionDirectory: join(path, 'muster/hosts/none'), searchPath: '', provider, ...options },
      )
      const listed = tried.map((file) => `'${file}'`).join(' ')
      const script = `cd '${path}'; for file in ${listed}; do [ -s "$file" ] && [ -f "$file" ] && echo "$file"; done; :`
      const id = await trial.run(script, { cwd: tree, sandbox: policy })
      expect(await trial.end(id)).toEqual({ type: 'exited', code: 0 })
      return (await trial.text(id, 'out')).split('\n').filter((line) => line !== '')
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}
