-- A provider's account that is to be joined to a signed-in one, until the client that asked for it exchanges its code:
-- whoever was merely led to the provider by somebody else's link has no such client.
alter table auth.flow_state add column pending_profile jsonb;
