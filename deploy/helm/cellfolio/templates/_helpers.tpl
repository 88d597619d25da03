{{- define "cellfolio.name" -}}
{{ .Release.Name }}-cellfolio
{{- end -}}

{{- define "cellfolio.labels" -}}
app.kubernetes.io/name: cellfolio
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}
