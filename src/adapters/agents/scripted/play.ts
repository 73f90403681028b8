import { readFile } from 'node:fs/promises'
import { chooseScene, describeOccasion, type Occasion, taskOfPrompt } from './choose-scene.ts'
import { PlayEnded, performStep } from './perform-step.ts'
import type { Script } from './script.ts'

/** The program of the scripted provider. Plays a script in its working directory. */
const NO_SCENE = 65
const BROKEN = 70

process.exitCode = await play(process.argv[2] ?? '', process.cwd())

async function play(scriptFile: string, tree: string): Promise<number> {
  try {
    const occasion = await readOccasion(process.env)
    const scene = chooseScene(await loadScript(scriptFile), occasion)
    if (scene === undefined)
      return fail(`no scene in ${scriptFile} fits this session: ${describeOccasion(occasion)}`, NO_SCENE)
    for (const step of scene.steps) await performStep(tree, step)
    return 0
  } catch (error) {
    if (error instanceof PlayEnded) return error.exitCode
    return fail(error instanceof Error ? error.message : String(error), BROKEN)
  }
}

async function readOccasion(environment: NodeJS.ProcessEnv): Promise<Occasion> {
  const { MUSTER_ROLE, MUSTER_CYCLE, MUSTER_ATTEMPT, MUSTER_PROMPT_FILE } = environment
  const { MUSTER_STAGE, MUSTER_STAGE_ROUND } = environment
  return {
    role: MUSTER_ROLE ?? '',
    cycle: Number(MUSTER_CYCLE),
    attempt: Number(MUSTER_ATTEMPT),
    stage: MUSTER_STAGE ?? '',
    round: Number(MUSTER_STAGE_ROUND),
    task: MUSTER_PROMPT_FILE === undefined ? '' : taskOfPrompt(await readFile(MUSTER_PROMPT_FILE, 'utf8')),
  }
}

/**
 * The provider has validated the script. The YAML parser takes most of the start-up time, so it's loaded only if
 * needed.
 */
async function loadScript(file: string): Promise<Script> {
  const text = await readFile(file, 'utf8')
  if (file.endsWith('.json')) return JSON.parse(text) as Script
  const { parse } = await import('yaml')
  return parse(text, { maxAliasCount: 100 }) as Script
}

function fail(problem: string, exitCode: number): number {
  process.stderr.write(`scripted agent: ${problem}\n`)
  return exitCode
}
