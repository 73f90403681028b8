import type { MessageType } from '../message/message-type.ts'
import type { Output, Stage } from '../playbook/stage.ts'
import { outcomeOf, type Visit } from './visit.ts'

/** What the result of each format is to those who read a run as a conversation. */
const TYPES: Readonly<Record<string, MessageType>> = {
  change: 'artifact',
  criteria: 'design',
  design: 'design',
  questions: 'task',
  findings: 'finding',
  review: 'review',
  choice: 'review',
  document: 'result',
}

/** The type of the message that a settled visit becomes. */
export function stageMessageType(stage: Stage, visit: Visit): MessageType {
  if (outcomeOf(visit) === 'failed') return 'status'
  switch (stage.type) {
    case 'role':
      return typeOfOutput(stage.output)
    case 'gate':
      return 'feedback'
    case 'checks':
    case 'playbook':
    case 'choose':
      return 'result'
  }
}

function typeOfOutput(output: Output): MessageType {
  return (output.type === 'shipped' ? TYPES[output.format] : undefined) ?? 'result'
}

/** A choice, or a gate that asks nobody, adds nothing to what the stages around it say. */
export function saysSomething(stage: Stage, visit: Visit): boolean {
  return visit.state.type === 'settled' && stage.type !== 'choose' && outcomeOf(visit) !== 'skipped'
}
