import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createYamlConfiguration } from '../../adapters/configuration/yaml/yaml-configuration.ts'
import type { Configuration } from '../../ports/configuration-source.ts'
import { configurationText } from './configuration-text.ts'

/** A comment that contains a field or an entry. */
const UNCOMMENTABLE = /^( *)# ( *[a-zA-Z]+:(?: .*)?)$/gm

let directory = ''

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'muster-cli-'))
})

afterEach(() => rm(directory, { recursive: true, force: true }))

async function configured(text: string): Promise<Configuration> {
  writeFileSync(join(directory, 'muster.yaml'), text)
  const read = await createYamlConfiguration({ environment: {} }).read(directory)
  if (!read.ok) throw new Error(JSON.stringify(read.failure))
  return read.value
}

describe('configurationText', () => {
  it('configures the programs that were found: another as reviewer, and no planner', async () => {
    const checks = ['npm test', 'sh -c "a: b"']
    const { agents, roles, ...rest } = await configured(
      configurationText({ setup: [], checks, programs: ['claude', 'gemini'] }),
    )
    expect(rest.checks).toEqual(checks)
    expect(roles).toEqual({})
    expect(agents).toEqual([
      { name: 'claude', provider: 'claude-code', roles: ['worker', 'planner'], env: [] },
      { name: 'gemini', provider: 'gemini', roles: ['worker', 'planner', 'reviewer'], env: [] },
    ])
  })

  it('makes the only program its own reviewer', async () => {
    const text = configurationText({ setup: [], checks: [], programs: ['codex'] })
    expect((await configured(text)).agents).toMatchObject([
      { name: 'codex', roles: ['worker', 'planner', 'reviewer'] },
    ])
  })

  it.each([[[]], [['opencode']], [['claude', 'codex', 'opencode', 'gemini']]])(
    'is valid when every comment is uncommented: %j',
    async (programs) => {
      const text = configurationText({ setup: [], checks: ['make test'], programs })
      const { agents, sandbox } = await configured(text.replaceAll(UNCOMMENTABLE, '$1$2'))
      expect(agents.length).toBeGreaterThanOrEqual(Math.max(programs.length, 1) + 1)
      expect(agents.at(-1)).toMatchObject({ name: 'mine', provider: 'command' })
      expect(sandbox).toEqual({ level: 'bubblewrap', network: 'allow', memoryMb: 8192, maxProcesses: 1000 })
      if (programs.length < 2) return
      expect(agents[0]).toMatchObject({ permissions: 'ask', fallback: ['codex'], maxParallel: 2 })
    },
  )

  it('configures no agent if none was found, so that one installed later is used', async () => {
    const text = configurationText({ setup: [], checks: [], programs: [] })
    const { agents, roles } = await configured(text)
    expect([agents, roles]).toEqual([[], {}])
    expect(text).toContain('claude, codex, opencode, gemini')
  })

  it("configures no agent if the person's own file has one, so that this one does the work", async () => {
    const text = configurationText({ setup: [], checks: [], programs: ['claude'], hasOwnAgents: true })
    const { agents, roles } = await configured(text)
    expect([agents, roles]).toEqual([[], {}])
    const uncommented = await configured(text.replaceAll(UNCOMMENTABLE, '$1$2'))
    expect(uncommented.agents.map(({ name }) => name)).toEqual(['claude', 'mine'])
  })

  it('includes the setup commands that were found', async () => {
    const text = configurationText({ setup: ['npm ci'], checks: ['npm test'], programs: [] })
    expect(await configured(text)).toMatchObject({ setup: ['npm ci'], checks: ['npm test'] })
  })

  it('warns that there are no checks', () => {
    const text = configurationText({ setup: [], checks: [], programs: [] })
    expect(parse(text)).toMatchObject({ checks: [] })
    expect(text).toContain('Without checks')
  })
})
