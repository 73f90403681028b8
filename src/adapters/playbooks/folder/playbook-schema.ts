import { z } from 'zod'
import { RECOVERY_DEFAULTS, RECOVERY_LIMITS } from '../../../domain/limits/recovery-limits.ts'
import { PLAYBOOK_DEFAULTS, RUN_LIMITS } from '../../../domain/limits/run-limits.ts'
import { AGENT_TOOLS } from '../../../domain/message/agent-tool.ts'
import {
  PARTIAL_WORK_RULES,
  RECOVER_ACTIONS,
  ROLE_MODES,
  VISIT_TROUBLES,
  type VisitTrouble,
} from '../../../domain/playbook/playbook.ts'
import { unknownName } from '../../../domain/playbook/playbook-problem.ts'

const name = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be up to 64 lower-case letters, digits, "_" and "-"')
const line = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .refine((value) => !value.includes('\n'), 'must be one line')
const reference = z.string().min(1).max(200)
const references = z.array(reference).max(50)
const target = z.string().min(1).max(80)
const scalar = z.union([z.string(), z.number(), z.boolean()], 'must be text, a number, true or false')
const condition = z
  .record(reference, scalar)
  .refine((value) => Object.keys(value).length > 0, 'must name at least one field')

/** `max` bounds how often a run takes this route; `then` follows once it is used up. */
const limitedRoute = z.strictObject({
  next: target,
  max: z.int().min(1).max(100),
  // biome-ignore lint/suspicious/noThenProperty: a field of the file, never awaited
  then: target,
})
const route = z.union(
  [target, limitedRoute],
  'must be the name of a stage, an end such as end.land, or { next, max, then }',
)
const on = z.record(z.string().max(64), route)

const input = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('text'),
      required: z.boolean().default(false),
      default: z.string().optional(),
      description: line.optional(),
    }),
    z.strictObject({
      type: z.literal('number'),
      required: z.boolean().default(false),
      default: z.number().optional(),
      min: z.number().default(1),
      max: z.number().max(1000).default(RUN_LIMITS.branches),
      description: line.optional(),
    }),
    z.strictObject({
      type: z.literal('choice'),
      required: z.boolean().default(false),
      of: z.array(z.string().min(1)).min(1).max(50),
      default: z.string().optional(),
      description: line.optional(),
    }),
  ],
  { error: ({ code }) => (code === 'invalid_union' ? 'must be one of: text, number, choice' : undefined) },
)

const tools = z
  .array(
    z.enum(AGENT_TOOLS, {
      error: ({ input: given }) =>
        typeof given === 'string' ? unknownName('tool', given, AGENT_TOOLS) : undefined,
    }),
  )
  .max(100)

const role = z.strictObject({
  mode: z.enum(ROLE_MODES),
  prompt: z.string().min(1).max(200),
  agents: z.array(name).min(1).max(20),
  session: z.enum(['keep', 'new']).default('new'),
  unlike: name.optional(),
  spread: z.boolean().default(false),
  tools: tools.optional(),
})

const roleStage = z.strictObject({
  role: name,
  asks: z.string().trim().min(1).max(4000).optional(),
  from: z.string().min(1).max(80).default('work'),
  sees: references.default([]),
  output: z.string().min(1).max(200),
  scope: reference.optional(),
  keeps: z
    .union(
      [name, z.array(name).min(1).max(RUN_LIMITS.stages)],
      'must be the name of a stage, or a list of names',
    )
    .optional(),
  times: z
    .union(
      [z.int().min(1).max(RUN_LIMITS.branches), reference],
      'must be a whole number, or a number such as inputs.n',
    )
    .optional(),
  over: reference.optional(),
  most: z.int().min(1).max(RUN_LIMITS.branches).optional(),
  each: name.optional(),
  tools: tools.optional(),
  join: z
    .literal('all', 'must be "all": a stage that fans out always waits for all of its branches')
    .optional(),
  minutes: z.number().positive().max(RUN_LIMITS.visitMinutes).default(PLAYBOOK_DEFAULTS.visitMinutes),
  on,
})

const checksStage = z.strictObject({
  checks: z.literal('project', 'must be "project": the checks of muster.yaml'),
  each: name.optional(),
  on,
})

const gateStage = z.strictObject({
  gate: z.strictObject({
    ask: line,
    shows: references.default([]),
    if: condition.optional(),
    hours: z.number().positive().max(RUN_LIMITS.gateHours).default(PLAYBOOK_DEFAULTS.gateHours),
  }),
  on,
})

const chooseStage = z.strictObject({
  choose: z
    .array(z.strictObject({ if: condition, next: target }))
    .min(1)
    .max(50),
  else: target,
})

const childStage = z.strictObject({
  playbook: name,
  inputs: z.record(name, reference).default({}),
  on,
})

/** The field that says what kind of stage it is; a stage has exactly one of these. */
export const STAGE_SCHEMAS = {
  role: roleStage,
  checks: checksStage,
  gate: gateStage,
  choose: chooseStage,
  playbook: childStage,
} as const

const actions = z.array(z.enum(RECOVER_ACTIONS)).min(1).max(10).optional()
const actionsByTrouble = Object.fromEntries(VISIT_TROUBLES.map((trouble) => [trouble, actions])) as Readonly<
  Record<VisitTrouble, typeof actions>
>

/** Everything but the stages, whose kinds are told apart first so that an error names the right field. */
export const playbookSchema = z.strictObject({
  version: z.literal(1, 'must be 1, the only version'),
  name,
  description: line,
  inputs: z.record(name, input).default({}),
  roles: z
    .record(name, role)
    .refine(
      (roles) => Object.keys(roles).length <= RUN_LIMITS.stages,
      `must not have more than ${RUN_LIMITS.stages} roles`,
    )
    .default({}),
  limits: z
    .strictObject({
      minutes: z.number().positive().max(RUN_LIMITS.runMinutes),
      usd: z.number().positive().optional(),
      parallel: z.int().min(1).max(RUN_LIMITS.branches).default(PLAYBOOK_DEFAULTS.limits.parallel),
    })
    .default(PLAYBOOK_DEFAULTS.limits),
  notebook: z.boolean().default(false),
  start: name,
  stages: z
    .record(name, z.record(z.string(), z.unknown()))
    .refine((stages) => Object.keys(stages).length > 0, 'must not be empty')
    .refine(
      (stages) => Object.keys(stages).length <= RUN_LIMITS.stages,
      `must not have more than ${RUN_LIMITS.stages} stages`,
    ),
  result: z
    .strictObject({
      documents: references.default([]),
      partial: z.enum(PARTIAL_WORK_RULES).default('ask'),
    })
    .default({ documents: [], partial: 'ask' }),
  recover: z
    .strictObject({
      perVisit: z.int().min(0).max(RECOVERY_LIMITS.mostPerVisit).default(RECOVERY_DEFAULTS.perVisit),
      perRun: z.int().min(0).max(RECOVERY_LIMITS.mostPerRun).default(RECOVERY_DEFAULTS.perRun),
      ...actionsByTrouble,
    })
    .default(RECOVERY_DEFAULTS),
})

/** The names of all fields anywhere in a playbook, for suggestions. */
export const FIELD_NAMES: readonly string[] = [
  playbookSchema,
  role,
  limitedRoute,
  ...input.options,
  ...Object.values(STAGE_SCHEMAS),
  gateStage.shape.gate,
].flatMap(({ shape }) => Object.keys(shape))

export type PlaybookFields = z.infer<typeof playbookSchema>
export type StageFields = {
  [Kind in keyof typeof STAGE_SCHEMAS]: z.infer<(typeof STAGE_SCHEMAS)[Kind]>
}
