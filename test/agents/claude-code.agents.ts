import { describeConversation } from './describe-conversation.ts'
import { describeWork } from './describe-work.ts'
import { claudeCode } from './programs/claude-code.ts'

describeConversation('claude-code', claudeCode)
describeWork('claude-code', claudeCode)
