import type { OutputFormat } from './output-format.ts'
import type { Output } from './stage.ts'

/** Whether an answer must have this shipped format. */
export function hasFormat(output: Output, format: OutputFormat): boolean {
  return output.type === 'shipped' && output.format === format
}

/** Whether an agent has done nothing unless it has changed something. */
export function mustChange(output: Output): boolean {
  return hasFormat(output, 'change') && !(output.type === 'shipped' && output.isOptional === true)
}
