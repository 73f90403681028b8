import type { AnswerSchema } from '../../domain/agent/answer-schema.ts'
import { PROMPT_LIMITS } from '../../domain/limits/prompt-limits.ts'
import { shippedSchema } from '../../domain/playbook/output-format.ts'
import type { Output } from '../../domain/playbook/stage.ts'
import type { ObjectSchema, ValueSchema } from '../../domain/playbook/value-schema.ts'
import { shortenedText } from './shortened.ts'

/** Says how to answer: an example of the JSON, and what its fields hold. */
export function answerRules(output: Output, schema: AnswerSchema): string {
  const shipped = output.type === 'shipped' ? shippedSchema(output.format) : undefined
  if (shipped === undefined) return ownRules(schema)
  return [
    'End your answer with this JSON, on one line:',
    JSON.stringify({ type: 'result', ...exampleFields(shipped) }),
    ...fieldLines(shipped, ''),
    'Leave a field out only if it is not required and there is nothing to say in it.',
  ].join('\n')
}

/** A playbook's own schema is shown as it is, because words could not say everything that it does. */
function ownRules(schema: AnswerSchema): string {
  const hasType = Object.hasOwn(schema.properties, 'type')
  return [
    'End your answer with one JSON object, on one line, that fits this JSON Schema:',
    shortenedText(JSON.stringify(schema), PROMPT_LIMITS.visit.schema),
    ...(hasType ? [] : ['Give the object the additional field "type":"result".']),
  ].join('\n')
}

function exampleFields({ properties }: ObjectSchema): Readonly<Record<string, unknown>> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const words = schema.type === 'string' ? schema.enum : undefined
    // Not a verdict itself: a program that prints its prompt must not have approved anything.
    return [name, name === 'verdict' && words !== undefined ? words.join('|') : exampleOf(schema)]
  })
  return Object.fromEntries(fields)
}

function exampleOf(schema: ValueSchema): unknown {
  switch (schema.type) {
    case 'string':
      return schema.enum?.[0] ?? '...'
    case 'integer':
      return 1
    case 'boolean':
      return true
    case 'array':
      return [exampleOf(schema.items)]
    case 'object':
      return exampleFields(schema)
  }
}

function fieldLines({ properties, required }: ObjectSchema, indent: string): readonly string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const remarks = [...wordsOf(schema), ...(required.includes(name) ? ['required'] : [])]
    const remark = remarks.length === 0 ? '' : ` (${remarks.join('; ')})`
    const entry = schema.type === 'array' ? schema.items : schema
    const inner = entry.type === 'object' ? fieldLines(entry, `${indent}  `) : []
    return [`${indent}- "${name}": ${schema.description}${remark}`, ...inner]
  })
}

function wordsOf(schema: ValueSchema): readonly string[] {
  return schema.type === 'string' && schema.enum !== undefined ? [`one of ${schema.enum.join(', ')}`] : []
}
