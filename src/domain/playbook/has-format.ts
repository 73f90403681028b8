import { type OutputFormat, shippedSchema } from './output-format.ts'
import type { Output, Stage } from './stage.ts'

/** Whether an answer must have this shipped format. */
export function hasFormat(output: Output, format: OutputFormat): boolean {
  return output.type === 'shipped' && output.format === format
}

/** Whether a stage asks for a format that doesn't exist, so that nobody knows its outcomes or the fields of its answer. */
export function hasUnknownFormat(stage: Stage | undefined): boolean {
  if (stage?.type !== 'role' || stage.output.type !== 'shipped') return false
  return shippedSchema(stage.output.format) === undefined
}

/** Whether an agent has done nothing unless it has changed something. */
export function mustChange(output: Output): boolean {
  return hasFormat(output, 'change') && !(output.type === 'shipped' && output.isOptional === true)
}
