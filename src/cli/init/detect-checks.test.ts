import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createYamlConfiguration } from '../../adapters/configuration/yaml/yaml-configuration.ts'
import type { Configuration } from '../../ports/configuration-source.ts'
import { configurationText } from './configuration-text.ts'
import { detectChecks } from './detect-checks.ts'

/** A comment that is a field or an entry, with what stands before and after its mark. */
const UNCOMMENTABLE = /^( *)# ( *[a-zA-Z]+:(?: .*)?)$/gm

let directory = ''

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'muster-cli-'))
})

afterEach(() => rm(directory, { recursive: true, force: true }))

function write(name: string, text: string): void {
  writeFileSync(join(directory, name), text)
}

describe('detectChecks', () => {
  it('takes the scripts of package.json that test something, with the package manager in use', async () => {
    write('package.json', JSON.stringify({ scripts: { test: 'vitest', lint: 'biome', start: 'node .' } }))
    expect(await detectChecks(directory)).toEqual(['npm install && npm run lint', 'npm install && npm test'])
  })

  it.each([
    ['package-lock.json', 'npm ci && npm test'],
    ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile && pnpm test'],
    ['yarn.lock', 'yarn install --immutable && yarn test'],
    ['bun.lock', 'bun install --frozen-lockfile && bun run test'],
  ])('installs what %s says before a script runs, because the tree is fresh', async (file, check) => {
    write('package.json', JSON.stringify({ scripts: { test: 'vitest' } }))
    write(file, '')
    expect(await detectChecks(directory)).toEqual([check])
  })

  it('does not take the script that npm writes when there are no tests', async () => {
    write('package.json', JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }))
    expect(await detectChecks(directory)).toEqual([])
  })

  it('survives files that are not what their names say', async () => {
    write('package.json', '{ not json')
    mkdirSync(join(directory, 'Cargo.toml'))
    expect(await detectChecks(directory)).toEqual([])
  })

  it('knows cargo, go and pytest', async () => {
    write('Cargo.toml', '[package]')
    write('go.mod', 'module x')
    write('pyproject.toml', '[tool.pytest.ini_options]\n')
    expect(await detectChecks(directory)).toEqual([
      'cargo test',
      'go vet ./...',
      'go test ./...',
      'python -m pytest -q',
    ])
  })

  it('takes the targets of a Makefile only when nothing else is found', async () => {
    write('Makefile', 'VERSION := 1\ntest :=\nbuild:\n\ttrue\ntest: build\n\ttrue\n')
    expect(await detectChecks(directory)).toEqual(['make test'])
    write('Cargo.toml', '[package]')
    expect(await detectChecks(directory)).toEqual(['cargo test'])
  })
})

async function configured(text: string): Promise<Configuration> {
  write('muster.yaml', text)
  const read = await createYamlConfiguration({ environment: {} }).read(directory)
  if (!read.ok) throw new Error(JSON.stringify(read.failure))
  return read.value
}

describe('configurationText', () => {
  it('works as it is with the programs that were found, the first of which plans', async () => {
    const checks = ['npm test', 'sh -c "a: b"']
    const { agents, planner, ...rest } = await configured(
      configurationText({ checks, programs: ['claude', 'gemini'] }),
    )
    expect(rest.checks).toEqual(checks)
    expect(planner).toBe('claude')
    expect(agents).toEqual([
      { name: 'claude', provider: 'claude-code', roles: ['worker', 'planner'], env: {} },
      { name: 'gemini', provider: 'gemini', roles: ['worker', 'planner'], env: {} },
    ])
  })

  it.each([[[]], [['opencode']], [['claude', 'codex', 'opencode', 'gemini']]])(
    'stays a configuration when everything in it is uncommented: %j',
    async (programs) => {
      const text = configurationText({ checks: ['make test'], programs })
      const { agents, sandbox } = await configured(text.replaceAll(UNCOMMENTABLE, '$1$2'))
      expect(agents.length).toBeGreaterThanOrEqual(Math.max(programs.length, 1) + 1)
      expect(agents.at(-1)).toMatchObject({ name: 'mine', provider: 'command' })
      expect(sandbox).toEqual({ level: 'bubblewrap', network: 'allow', memoryMb: 8192, maxProcesses: 1000 })
      if (programs.length < 2) return
      expect(agents[0]).toMatchObject({ permissions: 'ask', fallback: ['codex'], maxParallel: 2 })
    },
  )

  it('configures no agent where none was found, so that one which is installed later is used', async () => {
    const text = configurationText({ checks: [], programs: [] })
    const { agents, planner } = await configured(text)
    expect([agents, planner]).toEqual([[], undefined])
    expect(text).toContain('claude, codex, opencode, gemini')
  })

  it('says why a check installs packages', () => {
    const text = configurationText({ checks: ['npm ci && npm test'], programs: [] })
    expect(parse(text)).toMatchObject({ checks: ['npm ci && npm test'] })
    expect(text).toMatch(/fresh tree.*node_modules/)
    expect(configurationText({ checks: ['go test ./...'], programs: [] })).not.toContain('node_modules')
  })

  it('says out loud that there are no checks', () => {
    const text = configurationText({ checks: [], programs: [] })
    expect(parse(text)).toMatchObject({ checks: [] })
    expect(text).toContain('Without checks')
  })
})
