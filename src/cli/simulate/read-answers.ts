import type { WirePlaybook } from '../../client/index.ts'
import type { Fields } from '../../domain/playbook/field-kind.ts'
import { formatFields } from '../../domain/playbook/output-format.ts'
import { unknownName } from '../../domain/playbook/playbook-problem.ts'
import { failure, type Result, success } from '../../domain/result.ts'

/** Fields of answers that a person wants, by stage. */
export type WantedAnswers = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Reads `--answer criteria.needsDesign=true`. */
export function readAnswers(
  playbook: WirePlaybook,
  given: Readonly<Record<string, string>>,
): Result<WantedAnswers, string> {
  const wanted: Record<string, Record<string, unknown>> = {}
  for (const [name, text] of Object.entries(given)) {
    const [stage = '', field = ''] = name.split('.')
    const fields = fieldsOf(playbook, stage)
    if (!fields.ok) return fields
    const known = Object.keys(fields.value ?? {})
    if (fields.value !== undefined && !known.includes(field)) {
      return failure(`stage "${stage}": ${unknownName('field', field, known)}`)
    }
    wanted[stage] = { ...wanted[stage], [field]: scalarOf(text) }
  }
  return success(wanted)
}

function fieldsOf({ stages }: WirePlaybook, name: string): Result<Fields | undefined, string> {
  const stage = Object.hasOwn(stages, name) ? stages[name] : undefined
  if (stage === undefined) return failure(unknownName('stage', name, Object.keys(stages)))
  if (stage.type !== 'role') return failure(`the stage "${name}" has no answer, because no agent works in it`)
  const { output } = stage
  return success(output.type === 'shipped' ? formatFields(output.format) : output.fields)
}

function scalarOf(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}
