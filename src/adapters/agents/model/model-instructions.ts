import type { AnswerFormat } from './answer-format.ts'

/** Prompts are written for programs with tools and a terminal; a model that is only called has neither. */
export function modelInstructions(role: string, format: AnswerFormat): string {
  return [
    `You are the ${role} of a software project. You are asked once and answer once.`,
    'You have no tools and cannot open files: what you can know of the repository stands in the prompt. Where it asks',
    'you to look at something that is not there, judge by what is, and say so in your answer.',
    'Where it asks you to print a line, your answer is that line: one JSON object, nothing before or after it, every',
    'field present (an empty text or list where there is nothing to say), of this schema:',
    JSON.stringify(format.schema),
  ].join('\n')
}
