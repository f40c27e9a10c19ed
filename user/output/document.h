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
 *
 * Return: the document, which report_doc_end() or json_object_put() frees.
 */
json_object *report_doc_new(const char *tool, char *const *argv);

/**
 * report_doc_error() - set the "error" member of a document
 * @doc: document, whose other members stay valid
 * @text: the error; "failed" takes the place of NULL and ""
 */
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

/**
 * report_doc_writable() - check that a file can probably be written
 * @file: name of the file; NULL and "-" are fine
 *
 * Call this before a long run, because its result is lost if the write fails at its end.
 *
 * Return: 0 or -errno, reported.
 */
int report_doc_writable(const char *file);

/**
 * report_doc_write() - write a document for human readers, with a line for each member
 * @doc: document, which the caller still owns
 * @path: file that is written, "-" for stdout; see report_file_write()
 *
 * Return: 0, also if @path is "-" and the reader of stdout is gone; or -errno, reported.
 */
int report_doc_write(json_object *doc, const char *path);

/**
 * report_doc_write_plain() - write a document in one line, for long documents and for programs
 * @doc: document, which the caller still owns
 * @path: file that is written, "-" for stdout; see report_file_write()
 *
 * Return: as report_doc_write().
 */
int report_doc_write_plain(json_object *doc, const char *path);

/**
 * report_doc_end() - end a command: write its document, with its error, and free the document
 * @doc: document, which is freed; may be NULL
 * @path: file that the document is written to; NULL: it is not written
 * @ret: return value of the command: 0, or an error that was already printed; -ENOMEM is printed
 *	here if it was not
 *
 * Return: @ret, or if it is 0 the error of writing.
 */
int report_doc_end(json_object *doc, const char *path, int ret);

/**
 * report_write() - write any text to a file
 * @text: the text
 * @path: file that is written, "-" for stdout; see report_file_write()
 *
 * Return: 0, also if the reader of stdout is gone, or -errno, reported.
 */
int report_write(const char *text, const char *path);

/**
 * report_error_doc() - write the document of a command that failed
 * @tool: as for report_doc_new()
 * @path: file that is written, "-" for stdout; see report_file_write()
 * @argv: the command line, NULL-terminated
 *
 * The error in the document is the last one reported. If this process has already tried to write a
 * document, the function writes nothing, because that document has more detail. It also writes
 * nothing if the command line names the file twice, because one of them may be an input. It does
 * not report a failed write, because the user must see the first error.
 */
void report_error_doc(const char *tool, const char *path, char *const *argv);

#endif
