import type { OfferedTool } from './conversation.ts'
import { freshName } from './fresh-name.ts'
import { type JsonObject, objectOf } from './json-object.ts'
import type { ToolCall } from './reply.ts'
import { schemaInstance } from './schema-instance.ts'
import type { Step } from './step.ts'

/** The names of the programs' shell tools, in order of preference. */
const SHELLS = ['Bash', 'bash', 'exec_command', 'shell_command', 'shell', 'run_shell_command']
const COMMAND_FIELDS = ['command', 'cmd']

/** The step's calls, with the tools that the program offers. Throws if a needed tool is missing. */
export function callsOf(step: Step, tools: readonly OfferedTool[]): readonly ToolCall[] {
  return [
    ...(step.shell === undefined ? [] : [shellCall(step.shell, step.params ?? {}, tools)]),
    ...(step.tool === undefined ? [] : [verbatimCall(step.tool, tools)]),
    ...(step.calls ?? []).flatMap((call) => callsOf(call, tools)),
  ]
}

export function findShell(tools: readonly OfferedTool[]): OfferedTool | undefined {
  return SHELLS.map((name) => tools.find((tool) => tool.name === name)).find((tool) => tool !== undefined)
}

function shellCall(command: string, params: JsonObject, tools: readonly OfferedTool[]): ToolCall {
  const shell = findShell(tools)
  const properties = objectOf(shell?.schema['properties'])
  const field = COMMAND_FIELDS.find((name) => name in properties)
  if (shell === undefined || field === undefined)
    throw new TypeError(`no shell among the tools ${tools.map((tool) => tool.name).join(', ')}`)
  const takesWords = objectOf(properties[field])['type'] === 'array'
  const input = {
    ...objectOf(schemaInstance(shell.schema)),
    [field]: takesWords ? ['bash', '-lc', command] : command,
    ...params,
  }
  return { ...callOf(shell), input }
}

/** A tool of an MCP server is found by the end of its name, because each program adds its own prefix. */
function verbatimCall(wanted: NonNullable<Step['tool']>, tools: readonly OfferedTool[]): ToolCall {
  const offered =
    tools.find(
      (tool) => tool.name === wanted.name || `${tool.namespace ?? ''}${tool.name}` === wanted.name,
    ) ?? tools.find((tool) => tool.name.endsWith(`_${wanted.name}`))
  return { ...callOf(offered ?? { name: wanted.name, schema: {} }), input: wanted.input }
}

function callOf(tool: OfferedTool): Omit<ToolCall, 'input'> {
  return {
    id: freshName('call_'),
    name: tool.name,
    freeform: tool.freeform === true,
    ...(tool.namespace === undefined ? {} : { namespace: tool.namespace }),
  }
}
