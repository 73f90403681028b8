import type { CastFailure, CastFault, Unfit } from './choose-cast.ts'

/** Why nobody can take some of a playbook's roles, a sentence for each, and what the configuration has instead. */
export function describeCastFailure({ faults, agents, roles }: CastFailure): readonly string[] {
  const has = agents.length === 0 ? 'There are no agents here' : `Agents here: ${agents.join(', ')}`
  return [
    ...faults.map(describeFault),
    `${has}.${roles.length === 0 ? '' : ` Roles here: ${roles.join(', ')}.`}`,
    'Give an agent one of the roles in muster.yaml, or run `muster doctor` to see which agents can be started here.',
  ]
}

function describeFault({ role, asked, unfit }: CastFault): string {
  const wanted = `The role "${role}" asks for ${asked.map((name) => `"${name}"`).join(' or ')}`
  if (unfit.length === 0) return `${wanted}, but no agent here has that name or role.`
  return `${wanted}, but ${unfit.map(describeUnfit).join(', and ')}.`
}

function describeUnfit({ agent, why }: Unfit): string {
  return why === 'plain-model'
    ? `"${agent}" is a plain model, which can't change files`
    : `the model of "${agent}" isn't one of those that the role allows`
}
