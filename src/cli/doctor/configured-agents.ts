import type { WireListedAgent, WireProvider } from '../../client/index.ts'
import { AGENT_EXAMPLES } from '../init/agent-examples.ts'
import { safeLine } from '../render/text/safe-text.ts'
import { type Finding, ok, warn } from './finding.ts'

/** Whether an agent is just a supported program under its usual name, so that the program's finding covers it. */
export function isUsualProgram({ name, provider, command }: WireListedAgent): boolean {
  const isExample = AGENT_EXAMPLES.some((example) => example.name === name && example.provider === provider)
  return isExample && command === undefined
}

/** An agent of muster.yaml or the person's own file that is more than a supported program under its usual name. */
export function configuredAgentFinding(agent: WireListedAgent, providers: readonly WireProvider[]): Finding {
  const subject = `agent ${safeLine(agent.name)}`
  const { usability, provider } = agent
  if (providers.every(({ id }) => id !== provider)) {
    const known = providers.map(({ id }) => id).join(', ')
    return warn(
      subject,
      `there is no provider named ${safeLine(provider)}`,
      `use one of these: ${safeLine(known)}`,
    )
  }
  if (usability?.type === 'unusable') {
    return warn(subject, safeLine(usability.reason), safeLine(usability.remedy))
  }
  if (usability !== undefined) return ok(subject, kindOf(agent))
  return warn(
    subject,
    `${kindOf(agent)}; not checked, because you have not trusted muster.yaml`,
    'muster trust',
  )
}

function kindOf({ provider, command, model }: WireListedAgent): string {
  const [program] = command ?? []
  return [
    `provider ${safeLine(provider)}`,
    ...(program === undefined ? [] : [`program ${safeLine(program)}`]),
    ...(model === undefined ? [] : [`model ${safeLine(model)}`]),
  ].join(', ')
}
