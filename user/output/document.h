/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OUTPUT_DOCUMENT_H
#define OUTPUT_DOCUMENT_H

#include <stddef.h>
#include <json-c/json.h>

/*
 * JSON documents: { "schema": "blkgen/1", "command": [argv], "kernel": {...}, ... , "error": null
 * | "text" }. A document is written whole or not at all.
 */
#define REPORT_SCHEMA 1

/**
 * report_doc_new() - start a document
 * @tool: "blkgen", "blklat"
 * @argv: the command line, NULL-terminated, may be NULL
 */
json_object *report_doc_new(const char *tool, char *const *argv);
/* Set the "error" member; the other members of the document stay valid. */
void report_doc_error(json_object *doc, const char *text);
/**
 * report_files_differ() - refuse to write two results to one file, or over one that is read
 * @outputs: names of files, of which each may be NULL or "-"
 * @noutputs: how many
 * @inputs: names of files that the command reads; "-" is stdin
 * @ninputs: how many
 *
 * Return: 0, or -EUSAGE, reported.
 */
int report_files_differ(const char *const *outputs, size_t noutputs, char *const *inputs,
			size_t ninputs);
/*
 * Check that @file can probably be written: if the write fails after a long run, the result is
 * lost. NULL is fine.
 * Return: 0 or -errno, reported.
 */
int report_doc_writable(const char *file);
/**
 * report_doc_write() - write @doc to @path ("-": stdout)
 *
 * The file appears under its name complete or not at all.
 * Return: 0 or -errno, reported.
 */
int report_doc_write(json_object *doc, const char *path);
/* The same in one line, for long documents and for programs. */
int report_doc_write_plain(json_object *doc, const char *path);

/**
 * report_doc_end() - end a command: write its document, with its error, and free the document
 * @doc: document, which is freed; may be NULL
 * @path: file that the document is written to; NULL: it is not written
 * @ret: return value of the command: 0, or an error that was already printed
 *
 * Return: @ret, or if it is 0 the error of writing.
 */
int report_doc_end(json_object *doc, const char *path, int ret);
/* Write any text to @path, or to stdout if it is "-". Return: 0 or -errno, reported. */
int report_write(const char *text, const char *path);
/**
 * report_error_doc() - write the document of a command that failed
 * @tool, @path, @argv: as for report_doc_write() and report_doc_new()
 *
 * The error in the document is the last one reported. If this process has already written a
 * document, the function writes nothing, because that document has more detail. It also writes
 * nothing if the command line names the file twice, because one of them may be an input. It does
 * not report a failed write, because the user must see the first error.
 */
void report_error_doc(const char *tool, const char *path, char *const *argv);

#endif
