import { expect, it } from 'vitest'
import { createPaint } from './paint.ts'
import { wrapLine } from './wrap-line.ts'

it('breaks a line between words, and aligns the rest with its text', () => {
  expect(wrapLine('  why          the check failed because of a missing key', 40)).toEqual([
    '  why          the check failed because',
    '               of a missing key',
  ])
  expect(wrapLine('ok    daemon           version 0.1.0, process 24350', 45)).toEqual([
    'ok    daemon           version 0.1.0, process',
    '                       24350',
  ])
  expect(wrapLine('- evidence: the tests of the parser pass', 30)).toEqual([
    '- evidence: the tests of the',
    '  parser pass',
  ])
  expect(wrapLine('04:50:07 t1-1   started: parse the week numbers of dates', 42)).toEqual([
    '04:50:07 t1-1   started: parse the week',
    '                numbers of dates',
  ])
})

it('counts only what is visible', () => {
  const line = `${createPaint(true)('bad', 'failed')}: no more`
  expect(wrapLine(line, 15)).toEqual([line])
})

it('indents what an agent said below its name', () => {
  expect(wrapLine('[t1-1] * three tests are marked todo', 24)).toEqual([
    '[t1-1] * three tests are',
    '  marked todo',
  ])
  expect(wrapLine('[plan1] three tests are marked todo', 30)).toEqual([
    '[plan1] three tests are marked',
    '        todo',
  ])
})

it('puts a command on a line of its own, so that it can be pasted', () => {
  expect(wrapLine('no open jobs; start one with: muster run "what you want done"', 40)).toEqual([
    'no open jobs; start one with:',
    '  muster run "what you want done"',
  ])
  expect(wrapLine('                       try: npm install -g @anthropic-ai/claude-code', 60)).toEqual([
    '                       try:',
    '                    npm install -g @anthropic-ai/claude-code',
  ])
  const paint = createPaint(true)
  expect(wrapLine(`${paint('dim', 'see all of it')}: git log main..muster/job`, 30)).toEqual([
    `${paint('dim', 'see all of it')}:`,
    '  git log main..muster/job',
  ])
})

it('puts a remark below its command', () => {
  const line = '  muster --home /srv/m base job_x3f9 continue  only new failures count'
  expect(wrapLine(line, 60)).toEqual([
    '  muster --home /srv/m base job_x3f9 continue',
    '      only new failures count',
  ])
  const choices = ['continue', 'fix     '].map(
    (choice) => `${' '.repeat(20)}muster base job_x3f9 ${choice}  a remark`,
  )
  expect(choices.flatMap((choice) => wrapLine(choice, 42))).toEqual([
    '  muster base job_x3f9 continue',
    '      a remark',
    '  muster base job_x3f9 fix',
    '      a remark',
  ])
})

it('puts words about a command below it, and breaks them between words', () => {
  const line = '  try: git merge muster/job-x3f9, in a checkout of the branch that should get the work'
  expect(wrapLine(line, 60)).toEqual([
    '  try: git merge muster/job-x3f9',
    '       in a checkout of the branch that should get the work',
  ])
  expect(wrapLine('  try: git branch --list, then: muster run GOAL --base BRANCH', 40)).toEqual([
    '  try: git branch --list',
    '       then:',
    '         muster run GOAL --base BRANCH',
  ])
  const quoted = '  muster run "first this, then that, and in the end the rest"'
  expect(wrapLine(quoted, 40)).toEqual([quoted])
})

it('keeps a command in backticks together within its sentence', () => {
  expect(wrapLine('  try: Clone it, then run `muster run` inside the clone.', 34)).toEqual([
    '  try: Clone it, then run',
    '       `muster run` inside the',
    '       clone.',
  ])
})

it('breaks an error about a command between words', () => {
  expect(wrapLine('error: git fetch failed: it timed out after 60 s', 30)).toEqual([
    'error: git fetch failed: it',
    'timed out after 60 s',
  ])
})

it("breaks a project's own commands between words", () => {
  expect(wrapLine('  check failed: npm run lint -- --max-warnings 0 --cache', 40)).toEqual([
    '  check failed: npm run lint --',
    '  --max-warnings 0 --cache',
  ])
})

it('leaves a line that fits, a command, and output that is not for a terminal', () => {
  const command = '  muster --home /srv/muster show tsk_0mwihyqs4qimwihwsr3w'
  expect(wrapLine(command, 40)).toEqual([command])
  expect(wrapLine('short', 40)).toEqual(['short'])
  expect(wrapLine('a b', undefined)).toEqual(['a b'])
})

it('leaves a word that is longer than a line', () => {
  expect(wrapLine(`see ${'x'.repeat(50)} there`, 40)).toEqual(['see', 'x'.repeat(50), 'there'])
})

it('aligns the first of several commands with the others', () => {
  const lines = [
    '  why: muster approve apr_1  t1-1 wants to run: npm test',
    '       muster approve apr_2  t1-2 wants to run: npm test',
  ]
  expect(lines.flatMap((line) => wrapLine(line, 40))).toEqual([
    '  why: muster approve apr_1',
    '           t1-1 wants to run: npm test',
    '       muster approve apr_2',
    '           t1-2 wants to run: npm test',
  ])
  const homes = lines.map((line) => line.replace('approve', '--home /a/long/directory approve'))
  expect(homes.flatMap((line) => wrapLine(line, 49)).filter((line) => line.includes('muster'))).toEqual([
    '  muster --home /a/long/directory approve apr_1',
    '  muster --home /a/long/directory approve apr_2',
  ])
})
