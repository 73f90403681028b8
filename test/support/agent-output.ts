import type { WireEvent, WireEventOf } from '../../src/contract/event.ts'

type AgentOutput = WireEventOf<'agent_message'>['data']

/** The output of an agent in an event; undefined for any other event. */
export function agentOutput(event: WireEvent): AgentOutput | undefined {
  return event.type === 'agent_message' ? event.data : undefined
}

/** The text of an agent in an event; empty for any other event. */
export function agentText(event: WireEvent): string {
  const output = agentOutput(event)
  return output !== undefined && 'text' in output ? output.text : ''
}
