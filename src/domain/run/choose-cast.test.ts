import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFolderPlaybooks } from '../../adapters/playbooks/folder/folder-playbooks.ts'
import { SHIPPED } from '../../adapters/playbooks/folder/testing/broken-playbook.ts'
import { whyNever } from '../admission/admit.ts'
import type { AgentSpec } from '../agent/agent-spec.ts'
import { MODEL_ROLES, USUAL_ROLES } from '../agent/built-in-roles.ts'
import type { PlaybookRole } from '../playbook/playbook.ts'
import { bindCast } from './bind-cast.ts'
import { type Cast, sameFamilyRoles } from './cast.ts'
import { type CastFailure, type Company, chooseCast } from './choose-cast.ts'

const agent = (name: string, provider: string, fields: Partial<AgentSpec> = {}): AgentSpec => ({
  name,
  provider,
  roles: USUAL_ROLES,
  env: [],
  ...fields,
})
const CLAUDE = agent('claude', 'claude-code')
const CODEX = agent('codex', 'codex')
const OPENCODE = agent('opencode', 'opencode')
const PLAIN = agent('plain', 'model', {
  roles: MODEL_ROLES,
  modelSource: { provider: 'anthropic', model: 'claude-haiku-4-5' },
})

const role = (fields: Partial<PlaybookRole> & Pick<PlaybookRole, 'agents'>): PlaybookRole => ({
  mode: 'read',
  prompt: 'builtin/reviewer',
  keepsSession: false,
  isSpread: false,
  ...fields,
})
const DEVELOPER = role({ mode: 'write', agents: ['developer', 'worker'] })
const REVIEWER = role({ agents: ['reviewer'], unlike: 'developer' })

function cast(roles: Readonly<Record<string, PlaybookRole>>, company: Partial<Company>): Cast {
  const chosen = chooseCast({ roles }, { agents: [], roles: {}, ...company })
  if (!chosen.ok) throw new Error(JSON.stringify(chosen.failure))
  return chosen.value
}

function refusal(
  roles: Readonly<Record<string, PlaybookRole>>,
  company: Partial<Company>,
): CastFailure | undefined {
  const chosen = chooseCast({ roles }, { agents: [], roles: {}, ...company })
  return chosen.ok ? undefined : chosen.failure
}

const names = (chosen: Cast, of: string) => chosen[of]?.map((member) => member.agent)

describe('the agents of a role', () => {
  it('are those bound to the role that the playbook names, in their order', () => {
    const agents = [CLAUDE, CODEX, OPENCODE]
    const roles = { worker: { agents: ['codex', 'claude'] } }
    expect(cast({ developer: DEVELOPER }, { agents, roles })).toEqual({
      developer: [
        { agent: 'codex', admittedAs: 'worker' },
        { agent: 'claude', admittedAs: 'worker' },
      ],
    })
  })

  it('are those that list the role if nobody is bound to it', () => {
    const agents = [CLAUDE, agent('rita', 'codex', { roles: ['architect'] })]
    expect(cast({ architect: role({ agents: ['architect', 'planner'] }) }, { agents })).toEqual({
      architect: [
        { agent: 'rita', admittedAs: 'architect' },
        { agent: 'claude', admittedAs: 'planner' },
      ],
    })
  })

  it('can be named directly, and then take the role of the playbook', () => {
    const candidate = role({ mode: 'write', agents: ['codex', 'worker'] })
    expect(cast({ candidate }, { agents: [CLAUDE, CODEX] })).toEqual({
      candidate: [
        { agent: 'codex', admittedAs: 'candidate' },
        { agent: 'claude', admittedAs: 'worker' },
      ],
    })
  })

  it('are those bound to a role even if an agent has the name of the role', () => {
    const agents = [agent('critic', 'codex'), CLAUDE]
    const roles = { critic: { agents: ['claude'] } }
    expect(cast({ judge: role({ agents: ['critic'] }) }, { agents, roles })).toEqual({
      judge: [{ agent: 'claude', admittedAs: 'critic' }],
    })
  })

  it('leave out names that mean nothing here, as long as somebody is left', () => {
    const candidate = role({ mode: 'write', agents: ['worker', 'claude', 'codex'] })
    expect(names(cast({ candidate }, { agents: [CLAUDE] }), 'candidate')).toEqual(['claude'])
  })

  it('leave out agents whose model the role excludes', () => {
    const agents = [agent('old', 'codex', { model: 'gpt-4' }), agent('new', 'codex', { model: 'gpt-5' })]
    const roles = { worker: { agents: ['old', 'new'], models: ['gpt-5'] } }
    expect(names(cast({ developer: DEVELOPER }, { agents, roles }), 'developer')).toEqual(['new'])
  })
})

describe('a plain model', () => {
  it('can read and review but not write', () => {
    const agents = [PLAIN, CLAUDE]
    expect(names(cast({ judge: role({ agents: ['reviewer'] }) }, { agents }), 'judge')).toEqual(['plain'])
    const writer = role({ mode: 'write', agents: ['plain', 'worker'] })
    expect(names(cast({ writer }, { agents }), 'writer')).toEqual(['claude'])
  })

  it('comes first in a role that needs no tree, and an agent program may take it too', () => {
    const judge = role({ mode: 'model', agents: ['claude', 'reviewer'] })
    expect(names(cast({ judge }, { agents: [CLAUDE, PLAIN] }), 'judge')).toEqual(['plain', 'claude'])
    expect(names(cast({ judge }, { agents: [CLAUDE] }), 'judge')).toEqual(['claude'])
  })
})

describe('a reviewer that nobody configured', () => {
  it('is of another family than the developer, if such a program is installed', () => {
    const chosen = cast({ developer: DEVELOPER, reviewer: REVIEWER }, { agents: [CLAUDE, CODEX] })
    expect(chosen['reviewer']).toEqual([
      { agent: 'codex', admittedAs: 'reviewer' },
      { agent: 'claude', admittedAs: 'reviewer', sameFamily: true },
    ])
    expect(sameFamilyRoles(chosen)).toEqual([])
  })

  it('is the developer itself on a machine with one agent', () => {
    const chosen = cast({ developer: DEVELOPER, reviewer: REVIEWER }, { agents: [CLAUDE] })
    expect(chosen['reviewer']).toEqual([{ agent: 'claude', admittedAs: 'reviewer', sameFamily: true }])
    expect(sameFamilyRoles(chosen)).toEqual(['reviewer'])
  })

  it('is another configured agent if only the developer lists the role, but no unlisted program', () => {
    const own = agent('own', 'claude-code', { roles: ['worker', 'reviewer'] })
    const agents = [own, CODEX]
    const roles = { worker: { agents: ['own'] } }
    const of = (unlisted: readonly string[]) =>
      names(cast({ developer: DEVELOPER, reviewer: REVIEWER }, { agents, roles, unlisted }), 'reviewer')
    expect(of([])).toEqual(['codex', 'own'])
    expect(of(['codex'])).toEqual(['own'])
  })

  it('is never an agent that may only be chosen by name', () => {
    const shy = agent('shy', 'codex', { roles: [] })
    const chosen = cast({ developer: DEVELOPER, reviewer: REVIEWER }, { agents: [shy, CLAUDE] })
    expect(names(chosen, 'reviewer')).toEqual(['claude'])
  })
})

describe('a program that is installed but not listed', () => {
  const dev = agent('dev', 'claude-code')
  const rev = agent('rev', 'claude-code', { roles: ['reviewer', 'tester'] })
  const unlisted = ['claude', 'codex']
  const developer = role({ mode: 'write', agents: ['developer', 'worker', 'codex'], unlike: 'tester' })
  const tester = role({ mode: 'write', agents: ['tester', 'worker'] })
  const researcher = role({ agents: ['researcher', 'planner'], isSpread: true })

  it('takes no role that a listed agent can take, not even for the sake of diversity', () => {
    const company = { agents: [dev, rev, CLAUDE, CODEX], unlisted }
    const chosen = cast({ developer, tester, researcher, reviewer: REVIEWER }, company)
    expect(names(chosen, 'developer')).toEqual(['dev'])
    expect(names(chosen, 'tester')).toEqual(['rev', 'dev'])
    expect(names(chosen, 'researcher')).toEqual(['dev'])
    expect(names(chosen, 'reviewer')).toEqual(['rev', 'dev'])
  })

  it('takes a role that no listed agent has', () => {
    const chosen = cast({ developer: DEVELOPER, reviewer: REVIEWER }, { agents: [dev, CODEX], unlisted })
    expect(names(chosen, 'developer')).toEqual(['dev'])
    expect(names(chosen, 'reviewer')?.[0]).toBe('codex')
    const alone = { agents: [rev, CLAUDE, CODEX], unlisted }
    expect(names(cast({ developer: DEVELOPER }, alone), 'developer')).toEqual(['claude', 'codex'])
  })

  it('takes a role that the configuration binds it to', () => {
    const roles = { reviewer: { agents: ['codex'] } }
    const chosen = cast({ reviewer: REVIEWER, developer }, { agents: [dev, rev, CODEX], roles, unlisted })
    expect(names(chosen, 'reviewer')).toEqual(['codex'])
    expect(names(chosen, 'developer')).toEqual(['dev'])
  })
})

describe('a role that should be unlike another', () => {
  const reviewers = { roles: ['reviewer'] }

  it('prefers another family to the order of the configuration', () => {
    const agents = [CLAUDE, agent('opus', 'claude-code', reviewers), agent('gpt', 'codex', reviewers)]
    const roles = { worker: { agents: ['claude'] }, reviewer: { agents: ['opus', 'gpt'] } }
    const chosen = cast({ developer: DEVELOPER, reviewer: REVIEWER }, { agents, roles })
    expect(names(chosen, 'reviewer')).toEqual(['gpt', 'opus'])
  })

  it('keeps to the agent that is bound to it, and reports that its family is the same', () => {
    const agents = [CLAUDE, CODEX, agent('opus', 'claude-code', reviewers)]
    const roles = { reviewer: { agents: ['opus'] } }
    const chosen = cast({ developer: DEVELOPER, reviewer: REVIEWER }, { agents, roles })
    expect(chosen['reviewer']).toEqual([{ agent: 'opus', admittedAs: 'reviewer', sameFamily: true }])
  })

  it('prefers an unknown family to the same one, without claiming that it differs', () => {
    const agents = [CLAUDE, agent('haiku', 'claude-code', reviewers), agent('open', 'opencode', reviewers)]
    const chosen = cast({ developer: DEVELOPER, reviewer: REVIEWER }, { agents })
    expect(names(chosen, 'reviewer')?.slice(0, 2)).toEqual(['open', 'haiku'])
    expect(sameFamilyRoles(chosen)).toEqual(['reviewer'])
  })

  it('differs from what the other role became, along a chain', () => {
    const chosen = cast(
      {
        reviewer: REVIEWER,
        developer: role({ mode: 'write', agents: ['worker'], unlike: 'tester' }),
        tester: role({ mode: 'write', agents: ['worker'] }),
      },
      { agents: [CLAUDE, CODEX] },
    )
    expect(['tester', 'developer', 'reviewer'].map((name) => names(chosen, name)?.[0])).toEqual([
      'claude',
      'codex',
      'claude',
    ])
  })

  it('differs from a role that should be unlike it too', () => {
    const one = role({ agents: ['worker'], unlike: 'two' })
    const two = role({ agents: ['worker'], unlike: 'one' })
    const chosen = cast({ one, two }, { agents: [CLAUDE, CODEX] })
    expect(new Set([names(chosen, 'one')?.[0], names(chosen, 'two')?.[0]]).size).toBe(2)
    expect(sameFamilyRoles(chosen)).toEqual([])
  })
})

describe('a judge of what several agents made in turn', () => {
  const CANDIDATE = role({ mode: 'write', agents: ['worker'], isSpread: true })
  const JUDGE = role({ agents: ['reviewer'], unlike: 'candidate' })
  const GEMINI = agent('gemini', 'gemini')

  it('is of the family that has its turn last, because it may not be needed', () => {
    const agents = [CLAUDE, CODEX, OPENCODE, GEMINI]
    const chosen = cast({ candidate: CANDIDATE, judge: JUDGE }, { agents })
    expect(names(chosen, 'judge')).toEqual(['gemini', 'codex', 'opencode', 'claude'])
  })

  it('is of a family that none of them has, if there is one', () => {
    const agents = [CLAUDE, CODEX, GEMINI]
    const roles = { worker: { agents: ['claude', 'codex'] }, reviewer: { agents: ['codex', 'gemini'] } }
    const chosen = cast({ candidate: CANDIDATE, judge: JUDGE }, { agents, roles })
    expect(names(chosen, 'judge')).toEqual(['gemini', 'codex'])
  })
})

describe('a role that nobody can take', () => {
  it('is reported with what it asked for and what there is, all of them at once', () => {
    const agents = [PLAIN, agent('coder', 'codex', { roles: ['worker'], model: 'gpt-4' })]
    const roles = { worker: { agents: ['coder'], models: ['gpt-5'] } }
    const wanted = {
      writer: role({ mode: 'write', agents: ['reviewer'] }),
      developer: DEVELOPER,
      auditor: role({ agents: ['security', 'gemini'] }),
      judge: role({ agents: ['reviewer'] }),
    }
    expect(refusal(wanted, { agents, roles })).toEqual({
      type: 'uncastable',
      faults: [
        {
          role: 'developer',
          mode: 'write',
          asked: ['developer', 'worker'],
          unfit: [{ agent: 'coder', why: 'model-bound' }],
        },
        { role: 'auditor', mode: 'read', asked: ['security', 'gemini'], unfit: [] },
      ],
      agents: ['plain', 'coder'],
      roles: ['worker', 'planner', 'reviewer'],
    })
  })

  it('says that a plain model cannot write', () => {
    const writer = role({ mode: 'write', agents: ['plain'] })
    expect(refusal({ writer }, { agents: [PLAIN] })?.faults[0]?.unfit).toEqual([
      { agent: 'plain', why: 'plain-model' },
    ])
  })
})

describe('the shipped playbooks', () => {
  const NAMES = ['architecture', 'best-of', 'development', 'research', 'review', 'reviewed', 'solo', 'tdd']

  it.each(NAMES)('find somebody for every role of %s with just Claude Code', async (name) => {
    const folder = await createFolderPlaybooks({ shipped: SHIPPED }).read(path.join(SHIPPED, name))
    if (!folder.ok) throw new Error(`${name} can't be read`)
    const { roles } = folder.value.playbook
    const chosen = cast(roles, { agents: [CLAUDE] })
    expect(Object.keys(chosen)).toEqual(Object.keys(roles))
    expect(Object.values(chosen).every(([first]) => first?.agent === 'claude')).toBe(true)
  })
})

describe('the bindings of a cast', () => {
  it('admit every member, and whoever could take a role before', () => {
    const listing = agent('listing', 'codex', { roles: ['candidate'] })
    const shy = agent('shy', 'codex', { roles: [] })
    const agents = [CLAUDE, CODEX, PLAIN, listing, shy]
    const candidate = role({ mode: 'write', agents: ['codex', 'shy', 'worker'] })
    const roles = { planner: { agents: ['claude'], maxParallel: 1 } }
    const chosen = cast({ candidate, reviewer: REVIEWER }, { agents, roles })
    const bound = bindCast(roles, agents, chosen)
    for (const { agent: name, admittedAs } of Object.values(chosen).flat()) {
      const found = agents.find((one) => one.name === name) ?? CLAUDE
      expect(whyNever({ role: admittedAs, agent: found, limits: { roles: bound } })).toBeUndefined()
    }
    expect(bound['planner']).toEqual(roles.planner)
    expect(bound).toMatchObject({ candidate: { agents: ['listing', 'codex'] } })
  })
})
