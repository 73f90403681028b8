import type { AgentSpec } from '../agent/agent-spec.ts'
import { familyOf, familyTitle, likenessOf } from '../agent/model-family.ts'
import { bindingOf } from '../agent/role-binding.ts'
import type { Playbook } from '../playbook/playbook.ts'
import type { Cast } from './cast.ts'
import type { Company } from './choose-cast.ts'

type Roles = Pick<Playbook, 'roles'>

/** What a person should know about a cast before it costs money, each in a clause. */
export function castNotes({ roles }: Roles, cast: Cast, company: Company): readonly string[] {
  return Object.entries(roles).flatMap(([name, role]) => {
    const agent = firstOf(cast, name, company)
    const other = role.unlike === undefined ? undefined : firstOf(cast, role.unlike, company)
    if (agent === undefined) return []
    return [
      ...(isStandIn(cast, name, role.agents, company)
        ? [`no configured agent can take the role ${name}, so ${agent.name} takes it`]
        : []),
      ...(other === undefined || likenessOf(agent, other) < 2
        ? []
        : [`${name} and ${role.unlike} ${likenessWords(agent, other)}: they may miss the same mistakes`]),
    ]
  })
}

function firstOf(cast: Cast, role: string, { agents }: Company): AgentSpec | undefined {
  return agents.find(({ name }) => name === cast[role]?.[0]?.agent)
}

/** Whether a program that isn't configured takes a role, although there are configured agents and nobody asked for it. */
function isStandIn(
  cast: Cast,
  name: string,
  asked: readonly string[],
  { agents, roles, unlisted = [] }: Company,
): boolean {
  const [first] = cast[name] ?? []
  if (first === undefined || !unlisted.includes(first.agent)) return false
  const isAsked = asked.length === 1 && asked[0] === first.agent
  const isBound = bindingOf(roles, first.admittedAs)?.agents.includes(first.agent) === true
  const hasListed = agents.some((agent) => agent.roles.length > 0 && !unlisted.includes(agent.name))
  return hasListed && !isAsked && !isBound
}

function likenessWords(one: AgentSpec, two: AgentSpec): string {
  const family = familyOf(one)
  if (family !== undefined && family === familyOf(two)) return `are both ${familyTitle(family)} models`
  return one.name === two.name ? `are the same agent, ${one.name}` : 'may use the same model'
}
