import { whyNever } from '../admission/admit.ts'
import type { AgentSpec } from '../agent/agent-spec.ts'
import { ROLE_FOR } from '../agent/built-in-roles.ts'
import { isOtherFamily, likenessOf } from '../agent/model-family.ts'
import { bindingOf, candidatesFor, type RoleBindings } from '../agent/role-binding.ts'
import type { Playbook, PlaybookRole } from '../playbook/playbook.ts'
import { failure, type Result, success } from '../result.ts'
import type { Cast } from './cast.ts'

export type Company = {
  /** The configured agents and the installed programs, preferred first. */
  readonly agents: readonly AgentSpec[]
  readonly roles: RoleBindings
  /**
   * The names of installed programs that the configuration doesn't list as agents. Using them may cost money, so they take
   * only the roles that nobody else can take.
   */
  readonly unlisted?: readonly string[]
}

/** All roles that nobody can take, and what there is instead. */
export type CastFailure = {
  readonly type: 'uncastable'
  readonly faults: readonly CastFault[]
  readonly agents: readonly string[]
  /** The roles that the configuration binds or that an agent lists. */
  readonly roles: readonly string[]
}

export type CastFault = {
  readonly role: string
  readonly mode: PlaybookRole['mode']
  /** The agents and roles that the playbook names for it. */
  readonly asked: readonly string[]
  /** Agents that were found but can't take it. */
  readonly unfit: readonly Unfit[]
}

export type Unfit = {
  readonly agent: string
  /** `plain-model`: it has no hands to write with. `model-bound`: the binding of the role excludes its model. */
  readonly why: 'plain-model' | 'model-bound'
}

type Found = {
  readonly agent: AgentSpec
  readonly admittedAs: string
  /** Nothing gives it the role of a reviewer; it reviews if that is better than to review one's own work. */
  readonly isReserve?: true
}
type Members = Readonly<Record<string, readonly Found[]>>
type Roles = Pick<Playbook, 'roles'>

/**
 * Who takes each role of a playbook. One agent may take all of them: a role that should be unlike another one only
 * prefers agents that are.
 */
export function chooseCast({ roles }: Roles, company: Company): Result<Cast, CastFailure> {
  const found = mapValues(roles, (role, name) => findMembers(name, role, company))
  const faults = Object.entries(roles).flatMap(([role, { mode, agents: asked }]) => {
    const { members = [], unfit = [] } = found[role] ?? {}
    return members.length > 0 ? [] : [{ role, mode, asked, unfit }]
  })
  if (faults.length > 0) return failure({ type: 'uncastable', faults, ...namesIn(company) })
  const ordered = orderByLikeness(
    roles,
    mapValues(found, ({ members }) => members),
  )
  return success(
    mapValues(ordered, (members, role) => {
      const other = otherThan(roles, ordered, role)
      return members.map(({ agent, admittedAs }) => ({
        agent: agent.name,
        admittedAs,
        ...(other !== undefined && !isOtherFamily(agent, other) ? { sameFamily: true as const } : {}),
      }))
    }),
  )
}

type Candidates = { readonly members: readonly Found[]; readonly unfit: readonly Unfit[] }

function findMembers(name: string, role: PlaybookRole, company: Company): Candidates {
  const { members, unfit } = findListed(name, role, company)
  const reserves = fitOf(role, company, findReserves(role, company, members)).members
  const all = withoutDuplicates([...members, ...reserves])
  if (role.mode !== 'model') return { members: all, unfit }
  const plain = all.filter(({ agent }) => isPlainModel(agent))
  return { members: [...plain, ...all.filter((one) => !plain.includes(one))], unfit }
}

/** The agents that a role asks for. Those that the configuration doesn't list come in only if no other fits. */
function findListed(name: string, role: PlaybookRole, company: Company): Candidates {
  const { agents, unlisted = [] } = company
  const askIn = (open: readonly AgentSpec[]) =>
    fitOf(
      role,
      company,
      role.agents.flatMap((word) => findAsked(word, name, company, open)),
    )
  const listed = askIn(agents.filter((agent) => !unlisted.includes(agent.name)))
  return listed.members.length > 0 ? listed : askIn(agents)
}

/**
 * A role that the configuration binds, an agent, or a role that agents list: the first that the word can mean. A binding
 * may name any agent; otherwise, only those of `open` are meant.
 */
function findAsked(
  word: string,
  playbookRole: string,
  { agents, roles }: Company,
  open: readonly AgentSpec[],
): readonly Found[] {
  const as = (admittedAs: string) => (agent: AgentSpec) => ({ agent, admittedAs })
  if (isBound(roles, word)) return candidatesFor(agents, roles, word).map(as(word))
  const named = open.filter(({ name }) => name === word)
  return named.length > 0 ? named.map(as(playbookRole)) : candidatesFor(open, roles, word).map(as(word))
}

/**
 * Configuring a reviewer is optional. Without one, any agent that Muster may choose by itself can review. If the
 * configuration gives the role to an agent, programs that it doesn't list don't review.
 */
function findReserves(
  { agents: asked, unlike }: PlaybookRole,
  { agents, roles, unlisted = [] }: Company,
  members: readonly Found[],
): readonly Found[] {
  const role = ROLE_FOR.review
  const isWanted = members.length === 0 || unlike !== undefined
  if (!isWanted || !asked.includes(role) || isBound(roles, role)) return []
  return agents
    .filter((agent) => agent.roles.length > 0)
    .filter(({ name }) => members.length === 0 || !unlisted.includes(name))
    .map((agent) => ({ agent, admittedAs: role, isReserve: true }))
}

function isBound(roles: RoleBindings, role: string): boolean {
  return (bindingOf(roles, role)?.agents ?? []).length > 0
}

function fitOf({ mode }: PlaybookRole, { roles }: Company, found: readonly Found[]): Candidates {
  const whyUnfit = ({ agent, admittedAs }: Found): Unfit['why'] | undefined => {
    if (mode === 'write' && isPlainModel(agent)) return 'plain-model'
    const limit = whyNever({ role: admittedAs, agent, limits: { roles } })
    return limit === 'model-bound' ? limit : undefined
  }
  const unfit = found.flatMap((one) => {
    const why = whyUnfit(one)
    return why === undefined ? [] : [{ agent: one.agent.name, why }]
  })
  return { members: withoutDuplicates(found.filter((one) => whyUnfit(one) === undefined)), unfit }
}

function withoutDuplicates(found: readonly Found[]): readonly Found[] {
  return found.filter(({ agent }, index) => found.findIndex((one) => one.agent.name === agent.name) === index)
}

function isPlainModel({ provider }: AgentSpec): boolean {
  return provider === 'model'
}

/** Sorts each role by how unlike its agents are to the first choice of the role that it should be unlike. */
function orderByLikeness(roles: Playbook['roles'], members: Members): Members {
  const ordered: Record<string, readonly Found[]> = { ...members }
  for (const role of namesByDependence(roles)) {
    const other = otherThan(roles, ordered, role)
    if (other === undefined) continue
    const inTurn = membersInTurn(roles, ordered, role)
    ordered[role] = (ordered[role] ?? []).toSorted(
      (one, two) => placeOf(one, other) - placeOf(two, other) || turnOf(two, inTurn) - turnOf(one, inTurn),
    )
  }
  return ordered
}

/** A reserve comes before the other agent itself only if it judges differently. */
function placeOf({ agent, isReserve }: Found, other: AgentSpec): number {
  const likeness = likenessOf(agent, other)
  if (isReserve) return likeness < 2 ? 10 + likeness : 30 + likeness
  return agent.name === other.name ? 20 : likeness
}

/** The agents of the role that a role should be unlike, if the branches of a fan-out take them in turn. */
function membersInTurn(roles: Playbook['roles'], members: Members, role: string): readonly Found[] {
  const unlike = roles[role]?.unlike
  return unlike !== undefined && roles[unlike]?.isSpread === true ? (members[unlike] ?? []) : []
}

/** The first turn of an agent that judges alike. Later is better, because fewer fan-outs reach it. */
function turnOf({ agent }: Found, inTurn: readonly Found[]): number {
  const turn = inTurn.findIndex((one) => likenessOf(one.agent, agent) >= 2)
  return turn === -1 ? inTurn.length : turn
}

/** The roles in an order in which each comes after the one it should be unlike, as far as they form no circle. */
function namesByDependence(roles: Playbook['roles']): readonly string[] {
  const names: string[] = []
  const add = (role: string, after: readonly string[]): void => {
    const unlike = roles[role]?.unlike
    if (unlike !== undefined && !after.includes(unlike)) add(unlike, [...after, role])
    if (!names.includes(role)) names.push(role)
  }
  for (const role of Object.keys(roles)) add(role, [role])
  return names
}

/** The first choice for the role that a role should be unlike. */
function otherThan(roles: Playbook['roles'], members: Members, role: string): AgentSpec | undefined {
  const unlike = roles[role]?.unlike
  return unlike === undefined ? undefined : members[unlike]?.[0]?.agent
}

function namesIn({ agents, roles }: Company): Pick<CastFailure, 'agents' | 'roles'> {
  const listed = agents.flatMap((agent) => agent.roles)
  return {
    agents: agents.map(({ name }) => name),
    roles: [...new Set([...Object.keys(roles), ...listed])],
  }
}

function mapValues<In, Out>(
  record: Readonly<Record<string, In>>,
  change: (value: In, key: string) => Out,
): Readonly<Record<string, Out>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}
