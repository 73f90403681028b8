import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { PlaybookFault } from '../../../../ports/playbook-source.ts'
import { createFolderPlaybooks } from '../folder-playbooks.ts'

export const SHIPPED = path.resolve(import.meta.dirname, '../../../../../playbooks')

/** A valid playbook with every kind of stage. Each broken one is an edit of it. */
export const VALID = `version: 1
name: trial
description: A playbook to break.
inputs:
  n: { type: number, default: 3, max: 8 }
  gate: { type: choice, of: [never, always], default: never }
roles:
  developer: { mode: write, prompt: ./developer.md, agents: [worker] }
  reviewer: { mode: read, prompt: builtin/reviewer, agents: [reviewer], unlike: developer }
limits: { minutes: 60 }
start: criteria
stages:
  criteria:
    role: reviewer
    sees: [goal]
    output: criteria
    on: { done: route, failed: end.failed }
  route:
    choose:
      - { if: { criteria.needsDesign: true }, next: design }
    else: implement
  design:
    role: reviewer
    sees: [goal, criteria]
    output: ./design.schema.json
    on: { done: implement, failed: implement }
  implement:
    role: developer
    from: head
    sees: [goal, criteria, design?]
    output: change
    on: { done: check, failed: end.failed }
  check:
    checks: project
    on: { pass: review, fail: { next: revise, max: 2, then: end.partial } }
  review:
    role: reviewer
    sees: [diff, check.output]
    output: review
    on:
      APPROVED: approval
      NEEDS_REVISION: { next: revise, max: 2, then: end.partial }
      REJECTED: end.partial
      failed: end.unverified
  revise:
    role: developer
    sees: [review.issues?, check.output]
    output: change
    on: { done: check, failed: end.partial }
  approval:
    gate: { ask: Land it?, shows: [diff], if: { inputs.gate: always } }
    on:
      allowed: tries
      skipped: tries
      denied: { next: revise, max: 1, then: end.partial }
      expired: end.partial
  tries:
    role: developer
    times: inputs.n
    output: change
    on: { some: verify, none: end.failed }
  verify:
    checks: project
    each: tries
    on: { one: end.land, some: child, none: end.partial }
  child:
    playbook: solo
    on: { complete: end.land, partial: end.partial, failed: end.failed }
result: { documents: [criteria, design?] }
`

/** Texts to replace, each with what takes its place; or the whole text. */
export type Edit = string | Readonly<Record<string, string>>

export type BrokenPlaybook = {
  readonly edit: Edit
  /** As `LINE:COLUMN field: problem`. */
  readonly faults: readonly string[]
}

export function edited(edit: Edit): string {
  if (typeof edit === 'string') return edit
  return Object.entries(edit).reduce((text, [old, replacement]) => {
    if (!text.includes(old)) throw new Error(`the valid playbook doesn't contain ${JSON.stringify(old)}`)
    return text.replace(old, () => replacement)
  }, VALID)
}

export type PlaybookTrial = AsyncDisposable & {
  readonly directory: string
  readonly write: (name: string, text: string | Uint8Array) => Promise<void>
  readonly read: () => ReturnType<ReturnType<typeof createFolderPlaybooks>['read']>
  /** The faults of the folder, without the file's name; empty if it is valid. */
  readonly faults: () => Promise<readonly string[]>
}

/** The folder of a valid playbook, with its prompt and its schema. */
export async function playbookTrial(text = VALID): Promise<PlaybookTrial> {
  const parent = await mkdtemp(path.join(tmpdir(), 'muster-playbook-'))
  const directory = path.join(parent, 'trial')
  await mkdir(directory)
  const write = (name: string, content: string | Uint8Array) => writeFile(path.join(directory, name), content)
  await write('playbook.yaml', text)
  await write('developer.md', 'Build it.\n')
  await write('design.schema.json', JSON.stringify(DESIGN))
  const read = () => createFolderPlaybooks({ shipped: SHIPPED }).read(directory)
  return {
    directory,
    write,
    read,
    faults: async () => {
      const folder = await read()
      return folder.ok ? [] : folder.failure.map((fault) => describe(directory, fault))
    },
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }),
  }
}

const DESIGN = {
  type: 'object',
  properties: {
    approach: { type: 'string' },
    parts: { type: 'array' },
    count: { type: 'integer' },
    isRisky: { type: 'boolean' },
    size: { enum: ['small', 'large'] },
    other: {},
  },
}

function describe(directory: string, { file, line, column, field, problem }: PlaybookFault): string {
  const place = file === path.join(directory, 'playbook.yaml') ? '' : `${file}:`
  return `${place}${line ?? '-'}:${column ?? '-'} ${field}: ${problem}`
}
