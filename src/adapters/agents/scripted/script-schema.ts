import path from 'node:path'
import { z } from 'zod'
import { patternOf } from './choose-scene.ts'
import type { StepName, StepValues } from './script.ts'

const treePath = z
  .string()
  .min(1)
  .refine(staysInTree, 'must be a relative path that does not leave the working tree')
const absolutePath = z.string().refine((file) => path.isAbsolute(file), 'must be an absolute path')
const fileText = z.strictObject({ path: treePath, text: z.string() })
const count = z.int().min(0).max(1_000_000_000)

export const STEP_SCHEMAS = {
  say: z.string(),
  emit: z.unknown(),
  write: fileText,
  append: fileText,
  remove: treePath,
  commit: z.string().min(1),
  run: z.tuple([z.string().min(1)], z.string()),
  sleep: z.number().min(0).max(3_600_000),
  result: z.record(z.string(), z.unknown()),
  'error-line': z.string(),
  exit: z.int().min(0).max(255),
  crash: z.enum(['SIGKILL', 'SIGTERM', 'SIGSEGV', 'SIGABRT']),
  spam: z.strictObject({ lines: count, text: z.string().optional() }),
  'wait-for': z.strictObject({ file: z.string().min(1), seconds: z.number().min(0).max(3_600).optional() }),
  touch: absolutePath,
} satisfies { readonly [Name in StepName]: z.ZodType<StepValues[Name]> }

const stepSchema = z.record(z.string(), z.unknown()).superRefine((step, context) => {
  const [name, ...others] = Object.keys(step)
  if (name === undefined || others.length > 0) {
    context.addIssue({ code: 'custom', message: 'a step is a mapping with one key, the name of the step' })
    return
  }
  if (!isStepName(name)) {
    context.addIssue({ code: 'custom', message: `there is no step "${name}"`, path: [name] })
    return
  }
  for (const issue of STEP_SCHEMAS[name].safeParse(step[name]).error?.issues ?? []) {
    context.addIssue({ code: 'custom', message: issue.message, path: [name, ...issue.path] })
  }
})

const cueSchema = z.strictObject({
  role: z.string().optional(),
  cycle: z.int().optional(),
  attempt: z.int().optional(),
  stage: z.string().optional(),
  round: z.int().optional(),
  task: z.string().min(1).refine(isUsablePattern, 'is not a regular expression').optional(),
})

/** A script as written in its file. A valid one is a `Script`. */
export const scriptSchema = z.array(
  z.strictObject({ when: cueSchema.optional(), steps: z.array(stepSchema) }),
  'a script is a list of scenes',
)

function isStepName(name: string): name is StepName {
  return Object.hasOwn(STEP_SCHEMAS, name)
}

function staysInTree(file: string): boolean {
  const normal = path.normalize(file)
  return !path.isAbsolute(file) && normal !== '..' && !normal.startsWith('../')
}

function isUsablePattern(task: string): boolean {
  try {
    patternOf(task)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
