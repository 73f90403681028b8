import type { WirePlaybook, WireValidPlaybook } from '../../../client/index.ts'
import { describeTarget } from '../../../domain/playbook/route.ts'
import { counted } from '../text/counted.ts'
import type { Display } from '../text/display.ts'
import type { Tone } from '../text/paint.ts'
import { safeLine } from '../text/safe-text.ts'
import { wrapWords } from '../text/wrap-line.ts'
import { placeWords } from './playbook-table.ts'
import { stageOrder } from './stage-order.ts'
import { limitWords, type StageExit, stageExits, stageWords, type WireStage } from './stage-words.ts'

type Look = Pick<Display, 'paint' | 'columns'>

/** Each kind of stage has a mark of its own, so that gates and checks stand out without colours, too. */
export const MARKS: Readonly<Record<WireStage['type'], readonly [mark: string, tone: Tone]>> = {
  role: ['o', 'strong'],
  checks: ['#', 'accent'],
  gate: ['?', 'warn'],
  choose: ['<', 'dim'],
  playbook: ['+', 'accent'],
}

/** A playbook for people: its stages as they follow each other, then what it needs and what bounds it. */
export function drawPlaybook(view: WireValidPlaybook, look: Look): readonly string[] {
  const { playbook, visitBound } = view
  const sections = [
    ...section('inputs', inputRows(playbook), look),
    ...section('roles', roleRows(playbook), look),
    ...section('limits', limitRows(playbook, visitBound), look),
  ]
  return [
    `${look.paint('strong', playbook.name)}  ${placeWords(view)}`,
    ...wrapped(safeLine(playbook.description, Number.POSITIVE_INFINITY), look),
    '',
    ...drawStages(playbook, look),
    ...sections,
  ]
}

function drawStages(playbook: WirePlaybook, look: Look): readonly string[] {
  const order = stageOrder(playbook)
  return order.flatMap((name, index) => {
    const stage = playbook.stages[name]
    if (stage === undefined) return []
    const rail = index === order.length - 1 ? '   ' : '  |'
    const isBack = (exit: StageExit) => exit.to.type === 'stage' && order.indexOf(exit.to.stage) <= index
    const [mark, tone] = MARKS[stage.type]
    return [
      ...hung(`  ${mark} `, `${rail} `, `${look.paint(tone, name)}  ${stageWords(stage)}`, look, 8),
      ...drawExits(stage, rail, isBack, look),
      ...(index === order.length - 1 ? [] : ['  |']),
    ]
  })
}

function drawExits(
  stage: WireStage,
  rail: string,
  isBack: (exit: StageExit) => boolean,
  look: Look,
): readonly string[] {
  const exits = stageExits(stage)
  if (stage.type === 'choose') {
    return exits.flatMap((exit) =>
      hung(`${rail}   `, `${rail}   `, `${arrow(exit, isBack)} ${exit.outcome}`, look, 5),
    )
  }
  const width = Math.max(...exits.map(({ outcome }) => outcome.length))
  return exits.flatMap((exit) => {
    const limit = exit.limit === undefined ? '' : `, ${limitWords(exit.limit)}`
    const start = `${rail}   ${exit.outcome.padEnd(width)}  `
    return hung(start, rail.padEnd(start.length), `${arrow(exit, isBack)}${limit}`, look, 3)
  })
}

function arrow(exit: StageExit, isBack: (exit: StageExit) => boolean): string {
  return `${isBack(exit) ? '<- back to' : '->'} ${describeTarget(exit.to)}`
}

/** Wraps a text behind `first`; its other lines are behind `rest`, and indented a little more. */
function hung(
  first: string,
  rest: string,
  text: string,
  { columns = Number.POSITIVE_INFINITY }: Look,
  indent: number,
): readonly string[] {
  const [head = '', ...more] = wrapWords(text, columns - first.length - indent)
  return [`${first}${head}`, ...more.map((line) => `${rest}${' '.repeat(indent)}${line}`)]
}

type Row = readonly [name: string, words: string]

function section(title: string, rows: readonly Row[], look: Look): readonly string[] {
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.flatMap(([name, words]) => {
    const start = `  ${name.padEnd(width)}  `
    return hung(start, ' '.repeat(start.length), words, look, 0)
  })
  return rows.length === 0 ? [] : ['', look.paint('strong', title), ...lines]
}

function inputRows({ inputs }: WirePlaybook): readonly Row[] {
  return Object.entries(inputs).map(([name, input]) => {
    const kind = input.type === 'choice' ? input.of.join(' | ') : input.type
    const range = input.type === 'number' ? ` from ${input.min} to ${input.max}` : ''
    const usual = input.default === undefined ? '' : `, default ${input.default}`
    const about = input.description === undefined ? '' : `: ${input.description}`
    return [name, safeLine(`${kind}${range}${input.isRequired ? ', required' : ''}${usual}${about}`, 1000)]
  })
}

function roleRows({ roles }: WirePlaybook): readonly Row[] {
  return Object.entries(roles).map(([name, role]) => {
    const more = [
      ...(role.keepsSession ? ['keeps its session'] : []),
      ...(role.isSpread ? ['takes its agents in turn'] : []),
      ...(role.unlike === undefined ? [] : [`another model family than ${role.unlike}`]),
    ]
    return [name, [`mode ${role.mode}`, `agents ${role.agents.join(', ')}`, ...more].join('; ')]
  })
}

function limitRows({ limits }: WirePlaybook, visitBound: number): readonly Row[] {
  return [
    ['time', counted(limits.minutes, 'minute')],
    ...(limits.usd === undefined ? [] : [['cost', `$${limits.usd}`] as const]),
    ['at once', counted(limits.parallel, 'session')],
    ['visits', `at most ${visitBound} in one run`],
  ]
}

function wrapped(text: string, { columns }: Look): readonly string[] {
  return columns === undefined ? [text] : wrapWords(text, columns)
}
