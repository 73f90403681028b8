import { readFileSync } from 'node:fs'
import type { PlaybookDefinition, RoleDefinition } from './playbook-definition.ts'

/** A playbook that can be started: the texts of its files, as they would be in a folder. */
export type DefinedPlaybook = {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
}

/**
 * Defines a playbook in TypeScript. The result is data: prompts are read now, and `muster.start` sends everything to the
 * daemon, which checks it like a playbook of a folder and pins it by its hash.
 */
export function definePlaybook<const Role extends string, const Stage extends string>(
  definition: PlaybookDefinition<Role, Stage>,
): DefinedPlaybook {
  const files: Record<string, string> = {}
  const add = (file: string, text: string) => {
    files[file] = text
    return file
  }
  const roles = mapEntries<RoleDefinition<Role>>(definition.roles, (name, role) => ({
    ...role,
    prompt: promptOf(name, role.prompt, add),
  }))
  const stages = mapEntries<object>(definition.stages, (name, stage) => ({
    ...stage,
    ...outputOf(name, stage, add),
  }))
  const playbook = { version: 1, ...definition, roles, stages }
  // JSON is YAML, and its lines are those that faults name.
  add('playbook.yaml', `${JSON.stringify(playbook, undefined, 2)}\n`)
  return { name: definition.name, files }
}

/** A route that leads to `next` the first `max` times in a run, and to `beyond` from there on. Only such a route may lead back. */
export function atMost<const Target extends string>(max: number, next: Target, beyond: Target) {
  // biome-ignore lint/suspicious/noThenProperty: a field of playbook.yaml, never awaited
  return { next, max, then: beyond }
}

type Add = (file: string, text: string) => string

function promptOf(role: string, prompt: RoleDefinition<string>['prompt'], add: Add): string {
  if (typeof prompt !== 'string') return add(`./${role}.md`, readFileSync(prompt.file, 'utf8'))
  return prompt.startsWith('builtin/') ? prompt : add(`./${role}.md`, prompt)
}

function outputOf(stage: string, fields: object, add: Add): { readonly output?: string } {
  const output = 'output' in fields ? fields.output : undefined
  if (typeof output !== 'object' || output === null) return {}
  return { output: add(`./${stage}.schema.json`, JSON.stringify(output, undefined, 2)) }
}

function mapEntries<Value>(
  record: Readonly<Record<string, Value>>,
  map: (name: string, value: Value) => object,
): Readonly<Record<string, object>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(name, value)]))
}
