import { z } from 'zod'
import { AGENT_TOOLS } from '../domain/message/agent-tool.ts'
import {
  PARTIAL_WORK_RULES,
  RECOVER_ACTIONS,
  ROLE_MODES,
  VISIT_TROUBLES,
} from '../domain/playbook/playbook.ts'
import { RUN_ENDS } from '../domain/playbook/route.ts'
import { pathSchema } from './text.ts'

const names = z.array(z.string()).readonly()
const toolsSchema = z.array(z.enum(AGENT_TOOLS)).readonly()
const scalarSchema = z.union([z.string(), z.number(), z.boolean()])

const referenceSchema = z.object({
  /** `goal`, `inputs`, `diff`, or the name of a stage. */
  of: z.string(),
  field: z.string().exactOptional(),
  isOptional: z.boolean(),
})
const referencesSchema = z.array(referenceSchema).readonly()

const targetSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('stage'), stage: z.string() }),
  z.object({ type: z.literal('end'), end: z.enum(RUN_ENDS) }),
])

const routeSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('always'), to: targetSchema }),
  z.object({ type: z.literal('limited'), to: targetSchema, max: z.number(), beyond: targetSchema }),
])
const on = z.record(z.string(), routeSchema)

const conditionSchema = z.array(z.object({ field: referenceSchema, value: scalarSchema })).readonly()

/** What a field of an answer may hold. */
const fieldKindSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('number') }),
  z.object({ type: z.literal('flag') }),
  z.object({ type: z.literal('list') }),
  z.object({ type: z.literal('word'), of: names }),
  z.object({ type: z.literal('any') }),
])

const roleStageSchema = z.object({
  type: z.literal('role'),
  role: z.string(),
  asks: z.string().exactOptional(),
  from: z.discriminatedUnion('type', [
    z.object({ type: z.literal('head') }),
    z.object({ type: z.literal('work') }),
    z.object({ type: z.literal('best'), stage: z.string() }),
  ]),
  sees: referencesSchema,
  output: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('shipped'),
      format: z.string(),
      isOptional: z.literal(true).exactOptional(),
    }),
    z.object({
      type: z.literal('schema'),
      file: z.string(),
      fields: z.record(z.string(), fieldKindSchema).optional(),
    }),
  ]),
  scope: referenceSchema.exactOptional(),
  keeps: z.union([z.string(), names]).exactOptional(),
  fanOut: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('times'), count: z.union([z.number(), referenceSchema]) }),
      z.object({ type: z.literal('over'), list: referenceSchema, max: z.number() }),
      z.object({ type: z.literal('each'), stage: z.string() }),
    ])
    .exactOptional(),
  tools: toolsSchema.exactOptional(),
  minutes: z.number(),
  on,
})

const stageSchema = z.discriminatedUnion('type', [
  roleStageSchema,
  z.object({ type: z.literal('checks'), each: z.string().exactOptional(), on }),
  z.object({
    type: z.literal('gate'),
    ask: z.string(),
    shows: referencesSchema,
    condition: conditionSchema.exactOptional(),
    hours: z.number(),
    on,
  }),
  z.object({
    type: z.literal('choose'),
    cases: z.array(z.object({ condition: conditionSchema, to: targetSchema })).readonly(),
    otherwise: targetSchema,
  }),
  z.object({
    type: z.literal('playbook'),
    playbook: z.string(),
    inputs: z.record(z.string(), referenceSchema),
    on,
  }),
])

const anyInput = { isRequired: z.boolean(), description: z.string().exactOptional() }
const inputSchema = z.discriminatedUnion('type', [
  z.object({ ...anyInput, type: z.literal('text'), default: z.string().exactOptional() }),
  z.object({
    ...anyInput,
    type: z.literal('number'),
    default: z.number().exactOptional(),
    min: z.number(),
    max: z.number(),
  }),
  z.object({ ...anyInput, type: z.literal('choice'), default: z.string().exactOptional(), of: names }),
])

const roleSchema = z.object({
  mode: z.enum(ROLE_MODES),
  prompt: z.string(),
  agents: names,
  keepsSession: z.boolean(),
  unlike: z.string().exactOptional(),
  isSpread: z.boolean(),
  tools: toolsSchema.exactOptional(),
})

const actionsSchema = z.array(z.enum(RECOVER_ACTIONS)).readonly()

/** What a playbook.yaml says, with its defaults filled in. */
export const playbookSchema = z
  .object({
    name: z.string(),
    description: z.string(),
    inputs: z.record(z.string(), inputSchema),
    roles: z.record(z.string(), roleSchema),
    limits: z.object({ minutes: z.number(), usd: z.number().exactOptional(), parallel: z.number() }),
    hasNotebook: z.boolean(),
    start: z.string(),
    stages: z.record(z.string(), stageSchema),
    result: z.object({ documents: referencesSchema, partial: z.enum(PARTIAL_WORK_RULES) }),
    recover: z.object({
      perVisit: z.number(),
      perRun: z.number(),
      actions: z.partialRecord(z.enum(VISIT_TROUBLES), actionsSchema),
    }),
  })
  .meta({ id: 'Playbook' })

export type WirePlaybook = z.infer<typeof playbookSchema>

const faultSchema = z.object({
  file: z.string(),
  /** Lines and columns start at 1. */
  line: z.number().optional(),
  column: z.number().optional(),
  /** Written as `stages.review.on`; empty for the whole file. */
  field: z.string(),
  problem: z.string(),
})

const found = {
  name: z.string(),
  directory: z.string(),
  /** Where it was found; absent if it was asked for by its folder. */
  place: z.enum(['repository', 'person', 'shipped']).optional(),
}

export const playbookViewSchema = z
  .discriminatedUnion('type', [
    z.object({
      ...found,
      type: z.literal('valid'),
      playbook: playbookSchema,
      warnings: z.array(z.object({ field: z.string(), problem: z.string() })),
      /** The most visits that any run can make. */
      visitBound: z.number(),
      /** Over the texts of all its files. */
      hash: z.string(),
    }),
    z.object({ ...found, type: z.literal('invalid'), faults: z.array(faultSchema) }),
  ])
  .meta({ id: 'PlaybookView' })

export type WirePlaybookView = z.infer<typeof playbookViewSchema>
export type WireValidPlaybook = Extract<WirePlaybookView, { type: 'valid' }>

export const playbookQuerySchema = z.object({ repositoryPath: pathSchema.optional() })
export const playbookParams = z.object({ name: z.string().min(1).max(200) })
export const validatePlaybookRequestSchema = z.strictObject({
  /** The folder that contains playbook.yaml, as an absolute path. */
  path: pathSchema.startsWith('/', 'must be an absolute path'),
})
export const playbookJsonSchemaSchema = z.record(z.string(), z.unknown())
