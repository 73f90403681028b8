import type { WireEvent, WireEventOf } from '../../src/contract/event.ts'

type AgentOutput = WireEventOf<'agent_message'>['data']

/** What an agent printed; nothing for any other event. */
export function agentOutput(event: WireEvent): AgentOutput | undefined {
  return event.type === 'agent_message' ? event.data : undefined
}

/** The text that an agent printed; empty for any other event. */
export function agentText(event: WireEvent): string {
  const output = agentOutput(event)
  return output !== undefined && 'text' in output ? output.text : ''
}
